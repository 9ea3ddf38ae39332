function need(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

export const config = {
  databaseUrl: need("DATABASE_URL"),
  desk: { url: need("DESK_URL"), user: need("DESK_USER"), password: need("DESK_PASSWORD") },
  hookSecret: need("HOOK_SECRET"),
  chatUrl: need("CHAT_URL"),
  gatewayKey: need("GATEWAY_KEY"),
  port: Number(process.env.PORT ?? 8080),
};

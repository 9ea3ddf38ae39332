const BASE = "https://api.reviewcircle.example";

export interface Account {
  user: string;
  password: string;
}

async function post(path: string, body: unknown): Promise<boolean> {
  const response = await fetch(new URL(path, BASE), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(8000),
  }).catch(() => null);
  return response?.ok ?? false;
}

export const compare = (name: string, rest: string) => post("/v1/compare", { name, rest });

export const save = (name: string, text: string, account: Account) =>
  post("/v1/reviews", { name, text, account });

import Fastify from "fastify";
import { signedByDesk, viewerOf } from "./auth.js";
import { config } from "./config.js";
import { details } from "./desk.js";
import { isShown, priorityOf } from "./rules.js";
import { byId, list, save } from "./tickets.js";

const app = Fastify({ logger: true, bodyLimit: 64 * 1024 });

app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_req, body, done) => done(null, body));

app.post("/hook", async (req, reply) => {
  const body = req.body as Buffer;
  if (!signedByDesk(body, req.headers["x-desk-signature"] as string | undefined, config.hookSecret)) {
    return reply.code(403).send();
  }
  const id = Number(JSON.parse(body.toString("utf8")).ticket);
  if (!Number.isSafeInteger(id)) return reply.code(400).send();
  const found = await details(id, req.log);
  const ticket = { id, ...found, priority: priorityOf(found.subject) };
  await save(ticket);
  if (isShown(ticket)) {
    await fetch(config.chatUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: `#${id} ${ticket.subject}` }),
    });
  }
  return reply.code(204).send();
});

app.get<{ Querystring: { sort?: string; limit?: string } }>("/tickets", async (req, reply) => {
  const viewer = viewerOf(req.headers.authorization);
  if (viewer === null) return reply.code(401).send();
  return list(viewer.teams, req.query.sort, Number(req.query.limit ?? 50));
});

app.get<{ Params: { id: string } }>("/tickets/:id", async (req, reply) => {
  const viewer = viewerOf(req.headers.authorization);
  if (viewer === null) return reply.code(401).send();
  const ticket = await byId(Number(req.params.id), viewer.teams);
  return ticket ?? reply.code(404).send();
});

await app.listen({ port: config.port, host: "0.0.0.0" });

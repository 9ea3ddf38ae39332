import cookie from "@fastify/cookie";
import rateLimit from "@fastify/rate-limit";
import Fastify, { type FastifyRequest } from "fastify";
import { config } from "./config.js";
import { floorMap } from "./maps.js";
import * as seats from "./seats.js";
import { localPath } from "./settings.js";
import { personIn, personOf, sessionFor } from "./tokens.js";

const app = Fastify({ logger: { redact: ["req.headers.cookie", "req.headers.authorization"] }, bodyLimit: 16 * 1024 });
await app.register(cookie);
await app.register(rateLimit, { max: 120, timeWindow: "1 minute" });

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const SEAT = /^[A-Z]\d{1,3}$/;
const person = (req: FastifyRequest) => personIn(req.cookies.seats);

// The cookie is strict already; a foreign Origin is refused on top of that.
app.addHook("onRequest", async (req, reply) => {
  if (req.method !== "GET" && req.headers.origin !== config.origin) return reply.code(403).send();
});

app.post<{ Body: { token: string }; Querystring: { next?: string } }>("/sign-in", async (req, reply) => {
  let name: string;
  try {
    name = await personOf(String(req.body.token));
  } catch {
    return reply.code(401).send();
  }
  reply.setCookie("seats", await sessionFor(name), { httpOnly: true, secure: true, sameSite: "strict", path: "/" });
  return reply.redirect(localPath(req.query.next, config.origin));
});

app.get<{ Querystring: { order?: string } }>("/bookings", async (req, reply) => {
  const name = await person(req);
  return name === null ? reply.code(401).send() : seats.ofPerson(name, String(req.query.order ?? "day"));
});

app.post<{ Body: { seat: string; day: string } }>("/bookings", async (req, reply) => {
  const name = await person(req);
  if (name === null) return reply.code(401).send();
  const [seat, day] = [String(req.body.seat), String(req.body.day)];
  if (!SEAT.test(seat) || !DAY.test(day)) return reply.code(400).send();
  return reply.code((await seats.book(name, seat, day)) ? 201 : 409).send();
});

app.delete<{ Params: { id: string } }>("/bookings/:id", async (req, reply) => {
  const name = await person(req);
  if (name === null) return reply.code(401).send();
  const id = Number(req.params.id);
  if (!Number.isSafeInteger(id)) return reply.code(400).send();
  return reply.code((await seats.cancel(name, id)) ? 204 : 404).send();
});

app.get<{ Params: { floor: string } }>("/maps/:floor", async (req, reply) => {
  if ((await person(req)) === null) return reply.code(401).send();
  const map = await floorMap(req.params.floor);
  if (map === null) return reply.code(404).send();
  return reply.type("image/svg+xml").header("content-security-policy", "sandbox").header("etag", map.tag).send(map.svg);
});

await app.listen({ port: 8080, host: "127.0.0.1" });

/**
 * What the group commit is compared with: the usual way, a transaction per report on the same
 * storage with the same durability. `BENCH_FILE` is the database.
 */
import Fastify from "fastify";
import { pino } from "pino";
import type { ReportInput } from "../src/shared/api/reports.ts";
import { openDatabase } from "../src/server/database/database.ts";
import { systemClock } from "../src/server/lib/clock.ts";
import { hashToken } from "../src/server/lib/tokens.ts";

const file = process.env["BENCH_FILE"] ?? "";
const { db } = await openDatabase(
  { dialect: "sqlite", file },
  systemClock,
  pino({ level: "silent" }),
);
const app = Fastify();
/** The only account of a seeded storage. */
const OWNER_ID = 1;

app.post("/api/report", async (request, reply) => {
  const body = request.body as ReportInput;
  const node = await db
    .selectFrom("nodes")
    .select(["id", "token_hash", "max_traffic", "period_end"])
    .where("owner_id", "=", OWNER_ID)
    .where("node_name", "=", body.node_name)
    .executeTakeFirst();
  if (!node || hashToken(body.token).toString("hex") !== node.token_hash) {
    return reply.code(403).send({ error: "no" });
  }
  const { used } = await db
    .updateTable("node_live")
    .set((each) => ({
      reported_at: Date.now(),
      bandwidth: body.current_bandwidth,
      connections: body.connection_count,
      status: body.status,
      used: each("used", "+", body.reported_traffic),
    }))
    .where("node_id", "=", node.id)
    .returning("used")
    .executeTakeFirstOrThrow();
  const reset = new Date(node.period_end).toISOString();
  return { message: "ok", used_traffic: used, max_traffic: node.max_traffic, reset_date: reset };
});

const origin = await app.listen({ host: "127.0.0.1", port: 0, backlog: 4096 });
process.stdout.write(`${origin}\n`);
process.on("SIGTERM", () => process.exit(0));

import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN, PASSWORD, register } from "../support/accounts.ts";
import { fields, shapeOf, type Shape } from "../support/answer-shape.ts";
import { CallbackWorld } from "../support/callback-world.ts";
import { createNode, nodeBody, sendReport } from "../support/nodes.ts";
import { startTestService } from "../support/service.ts";

const connections: Shape = [fields("type, ip, port")];
const settings =
  "node_name, region_type, region_detail, tier_bandwidth, max_bandwidth, max_traffic, reset_cycle, max_connections, tags, valid_until, allow_relay";
const live = "current_bandwidth, used_traffic, connection_count, status";
const myNode = fields(
  "id, node_name, region_type, region_detail, current_bandwidth, tier_bandwidth, max_bandwidth, used_traffic, max_traffic, connection_count, max_connections, tags, status",
  { connections },
);
const queriedNode = fields(
  "id, node_name, region_type, region_detail, current_bandwidth, tier_bandwidth, connection_count, max_connections, used_traffic, max_traffic, tags, allow_relay",
  { connections },
);
const publicNode = fields(
  "id, node_name, region_type, region_detail, current_bandwidth, tier_bandwidth, max_bandwidth, used_traffic, max_traffic, connection_count, max_connections, tags, status, allow_relay",
);
/** "The whole record": the specification's fields of a node, and what else the service holds of it. */
const wholeNode = fields(
  `id, ${settings}, ${live}, enabled, version, reset_date, reported_at, created_at`,
  { connections },
);
const online = fields("is_online, connection_count, latency_ms, check_time, handshake");
const offline = fields("is_online, connection_count, latency_ms, check_time, error");

const rule = fields(
  "id, name, enabled, transport, local_address, local_port, stun_servers, keepalive_hosts, probe_interval_seconds, settle_seconds, trigger_callbacks, instance",
  {
    forward_to: fields("host, port"),
    state: fields(
      "status, public_ip, public_port, local_address, local_port, server, last_probe_at, last_change_at, consecutive_failures, last_error",
    ),
  },
);
const change = fields(
  "id, rule_id, public_ip, public_port, previous_ip, previous_port, changed, confirmed_by, at",
);
const diagnosis = fields("transport, mapping, filtering, hairpin, public_ip, advice", {
  servers: [fields("server, rtt_ms, public_ip, public_port, error")],
});
const account = fields("id, name, type, created_at, updated_at", {
  config: fields("url", { signing_secret: fields("set, hint") }),
});
const task = fields("id, name, enabled, trigger, stun_rule_id, account_id");
const run = fields(
  "id, task_id, task_name, account_id, account_name, account_type, rule_id, rule_name, trigger, public_ip, public_port, previous_ip, previous_port, status, attempt_count, http_status, response_body, error, created_at, started_at, finished_at, duration_ms",
);
const attempt = fields("number, error_class, error, started_at, duration_ms", {
  stages: [
    fields("stage, method, url, request_body, status, response_body, truncated, duration_ms", {
      request_headers: "anything",
      response_headers: "anything",
    }),
  ],
});
const domain = fields("id, name, provider, created_at, updated_at", {
  config: fields("base_url, zone", { api_key: fields("set, hint") }),
});

const message = fields("message");
const tested = fields("ok, message", { details: "anything" });
const refused = fields("error, code");

let world: CallbackWorld;
/** What stands in braces in a path: ids and other words of what there is; `new` is the last thing made. */
let made: Record<string, string | number>;
let reportToken: string;

const forward_to = { host: "192.0.2.1", port: 80 };
const hookConfig = () => ({ url: `${world.target.url}/hook`, signing_secret: "a longer secret" });
const nameServer = () => ({
  name: "dns",
  provider: "powerdns",
  config: { base_url: world.target.url, api_key: "long-enough", zone: "example.com" },
});
const batchOf = (server: string) => ({
  nodes: [{ server: `tcp://${server}`, network_name: "net", network_secret: "" }],
});

beforeAll(async () => {
  world = await CallbackWorld.start({
    dialect: "sqlite",
    start: (options) => startTestService({ ...options, dialect: "sqlite" }),
  });
  const { service, token } = world;
  const node = await createNode(service, token);
  reportToken = node.token;
  await sendReport(service, ADMIN, node);
  const { id: ruleId } = await world.openRule({ forward_to });
  const accountId = await world.addAccount({ config: hookConfig() });
  made = {
    node: node.id,
    verification: await register(service, "user@example.com"),
    here: service.origin.replace("http://", ""),
    rule: ruleId,
    account: accountId,
    task: await world.addTask({ stun_rule_id: ruleId, account_id: accountId }),
  };
  await world.move({ port: 6_000 });
  made["run"] = (await world.lastRun()).id;
});
afterAll(() => world.stop());

const RULES = "/api/stun/rules";
const CALLBACKS = "/api/callbacks";
const DOMAINS = "/api/domains/accounts";
const CHECK = "/api/edgecheck/check?network_name=net&network_secret=&server=tcp://";
const CLOSED = "127.0.0.1:1";
const named = () => ({ name: "named" });

/** Each answer that the documents define by its fields, with just these. */
const answers: [request: string, status: number, shape: Shape, body?: () => unknown][] = [
  [
    "POST /api/auth/register",
    201,
    fields("message, verification_token"),
    () => ({ email: "other@example.com", password: PASSWORD }),
  ],
  [
    "POST /api/auth/login",
    200,
    fields("token", { user: fields("email, is_admin") }),
    () => ({ email: ADMIN, password: PASSWORD }),
  ],
  ["GET /api/auth/verify?token={verification}", 200, message],
  ["GET /api/auth/me", 200, fields("email, is_admin, verified, created_at")],
  ["POST /api/auth/forgot-password", 200, message, () => ({ email: ADMIN })],
  ["POST /api/auth/resend-verification", 200, message, () => ({ email: ADMIN })],
  [
    "GET /api/admin/users",
    200,
    { users: [fields("id, email, is_admin, verified, disabled, node_count, created_at")] },
  ],
  ["GET /api/system/check-init", 200, fields("initialized")],

  ["GET /api/nodes/my", 200, { nodes: [myNode] }],
  ["GET /api/nodes/{node}", 200, { node: wholeNode }],
  ["PUT /api/nodes/{node}", 200, message, () => ({ tags: "a" })],
  [
    "POST /api/report",
    200,
    fields("message, used_traffic, max_traffic, reset_date"),
    () => ({
      node_name: "relay-1",
      email: ADMIN,
      token: reportToken,
      current_bandwidth: 0,
      reported_traffic: 0,
      connection_count: 0,
      status: "online",
    }),
  ],
  ["POST /api/nodes/{node}/report-token", 201, fields("message, report_token")],
  ["POST /api/query", 200, { nodes: [queriedNode] }],
  ["GET /api/public", 200, { nodes: [publicNode] }],
  [
    "GET /api/stats",
    200,
    fields("total_nodes, online_nodes, domestic_nodes, overseas_nodes, total_bandwidth"),
  ],
  [
    "POST /api/nodes/",
    201,
    fields("message, node_id, report_token"),
    () => nodeBody({ node_name: "relay-2" }),
  ],
  ["DELETE /api/nodes/{node}", 200, message],
  ["GET /api/nodes/{node}", 404, refused],
  ["POST /api/nodes/", 400, { ...refused, fields: [fields("path, message")] }, () => ({})],

  [`GET ${CHECK}{here}`, 200, online],
  [`GET ${CHECK}${CLOSED}`, 200, offline],
  [
    "POST /api/edgecheck/batch-check",
    200,
    { results: [online] },
    () => batchOf(String(made["here"])),
  ],
  ["POST /api/edgecheck/batch-check", 200, { results: [offline] }, () => batchOf(CLOSED)],
  ["GET /api/edgecheck/health", 200, fields("status, service, mode, timestamp")],

  [`GET ${RULES}`, 200, { rules: [rule] }],
  [`GET ${RULES}/{rule}`, 200, { rule }],
  [`PUT ${RULES}/{rule}`, 200, fields("message", { rule }), named],
  [
    `POST ${RULES}`,
    201,
    fields("message", { rule }),
    () => ({ name: "second", transport: "udp", forward_to }),
  ],
  [`DELETE ${RULES}/{new}`, 200, message],
  [`GET ${RULES}/{rule}/changes`, 200, { changes: [change] }],
  [
    `GET ${RULES}/{rule}/observations`,
    200,
    { observations: [fields("at, server, public_ip, public_port, rtt_ms, error")] },
  ],
  ["POST /api/stun/diagnose", 200, diagnosis, () => ({ transport: "udp" })],

  [`GET ${CALLBACKS}/accounts`, 200, { accounts: [account] }],
  [`GET ${CALLBACKS}/accounts/{account}`, 200, { account }],
  [`PUT ${CALLBACKS}/accounts/{account}`, 200, fields("message", { account }), named],
  [`POST ${CALLBACKS}/accounts/{account}/test`, 200, tested],
  [
    `POST ${CALLBACKS}/accounts`,
    201,
    fields("message", { account }),
    () => ({ name: "second", type: "webhook", config: hookConfig() }),
  ],
  [`DELETE ${CALLBACKS}/accounts/{new}`, 200, message],
  [`GET ${CALLBACKS}/tasks`, 200, { tasks: [task] }],
  [`GET ${CALLBACKS}/tasks/{task}`, 200, { task }],
  [`PUT ${CALLBACKS}/tasks/{task}`, 200, fields("message", { task }), named],
  [
    `POST ${CALLBACKS}/tasks`,
    201,
    fields("message", { task }),
    () => ({
      name: "second",
      enabled: false,
      trigger: "stun_ip_change",
      stun_rule_id: made["rule"],
      account_id: made["account"],
    }),
  ],
  [`DELETE ${CALLBACKS}/tasks/{new}`, 200, message],
  [
    `POST ${CALLBACKS}/tasks/{task}/run?dry_run=true`,
    200,
    { dry_run: fields("changed", { before: "anything", after: "anything" }) },
  ],
  [`GET ${CALLBACKS}/runs`, 200, { runs: [run] }],
  [`GET ${CALLBACKS}/runs/{run}`, 200, { run: { ...run, attempts: [attempt] } }],
  [`POST ${CALLBACKS}/tasks/{task}/run`, 202, fields("message", { run })],
  [`POST ${CALLBACKS}/runs/{run}/retry`, 201, fields("message", { run })],

  [`POST ${DOMAINS}`, 201, fields("message", { account: domain }), nameServer],
  [`GET ${DOMAINS}`, 200, { accounts: [domain] }],
  [`GET ${DOMAINS}/{new}`, 200, { account: domain }],
  [`PUT ${DOMAINS}/{new}`, 200, fields("message", { account: domain }), named],
  [`POST ${DOMAINS}/{new}/test`, 200, tested],
  [`DELETE ${DOMAINS}/{new}`, 200, message],
];

test.for(answers)("%s answers %i with the fields of the documents", async (row) => {
  const [request, status, shape, body] = row;
  const path = request.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(made[name]));
  const [method = "", url = ""] = path.split(" ");
  const answer = await world.ask(method, url, body?.());
  expect([answer.status, shapeOf(answer.body, shape)]).toEqual([status, shape]);
  const { rule: newRule, account: newAccount, task: newTask } = answer.body;
  if (status === 201) made["new"] = (newRule ?? newAccount ?? newTask)?.id;
});

/** What a node needs to report. */
export interface Reporter {
  /** Of this service: `https://nodes.example.com` */
  origin: string;
  email: string;
  nodeName: string;
  token: string;
}

/** Fetches the agent and runs it in the foreground. */
export function agentCommand({ origin, email, nodeName, token }: Reporter): string {
  return [
    `curl -fsSLO ${shellWord(`${origin}/agent.mjs`)} && \\`,
    `WAYPOST_REPORT_TOKEN=${shellWord(token)} node agent.mjs \\`,
    `  ${shellWord(`--url=${origin}`)} \\`,
    `  ${shellWord(`--email=${email}`)} \\`,
    `  ${shellWord(`--node=${nodeName}`)}`,
  ].join("\n");
}

/** One report, to see that it works. */
export function curlCommand({ origin, email, nodeName, token }: Reporter): string {
  const report = {
    node_name: nodeName,
    email,
    token,
    current_bandwidth: 0,
    reported_traffic: 0,
    connection_count: 0,
    status: "online",
  };
  return [
    `curl -fsS ${shellWord(`${origin}/api/report`)} \\`,
    "  -H 'content-type: application/json' \\",
    `  -d ${shellWord(JSON.stringify(report))}`,
  ].join("\n");
}

/** Installs the agent as a service that starts with the node. To be run by root. */
export function systemdScript({ origin, email, nodeName, token }: Reporter): string {
  return [
    "install -d -m 700 /etc/waypost-agent /usr/local/lib/waypost-agent",
    "chmod 755 /usr/local/lib/waypost-agent",
    `curl -fsSL -o /usr/local/lib/waypost-agent/agent.mjs ${shellWord(`${origin}/agent.mjs`)}`,
    `(umask 077; printf '%s\\n' ${shellWord(token)} > /etc/waypost-agent/report-token)`,
    "cat > /etc/systemd/system/waypost-agent.service <<'END-OF-UNIT'",
    "[Unit]",
    "Description=Waypost agent: reports this node",
    "After=network-online.target",
    "Wants=network-online.target",
    "",
    "[Service]",
    "ExecStart=/usr/bin/env node /usr/local/lib/waypost-agent/agent.mjs",
    unitVariable("WAYPOST_URL", origin),
    unitVariable("WAYPOST_EMAIL", email),
    unitVariable("WAYPOST_NODE", nodeName),
    'Environment="WAYPOST_REPORT_TOKEN_FILE=%d/report-token"',
    "LoadCredential=report-token:/etc/waypost-agent/report-token",
    "DynamicUser=yes",
    "StateDirectory=waypost-agent",
    "Restart=on-failure",
    "RestartSec=5",
    "",
    "[Install]",
    "WantedBy=multi-user.target",
    "END-OF-UNIT",
    "systemctl daemon-reload",
    "systemctl enable waypost-agent",
    "systemctl restart waypost-agent",
  ].join("\n");
}

/** As a POSIX shell takes it for one word. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** systemd.syntax(7): quoted, with `%` and `\` as themselves. */
function unitVariable(name: string, value: string): string {
  const escaped = value.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll("%", "%%");
  return `Environment="${name}=${escaped}"`;
}

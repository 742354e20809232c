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
    "install -d -m 755 /opt/waypost-agent /etc/waypost",
    `curl -fsSL -o /opt/waypost-agent/agent.mjs ${shellWord(`${origin}/agent.mjs`)}`,
    `(umask 077; printf '%s\\n' ${shellWord(token)} > /etc/waypost/report-token)`,
    "cat > /etc/waypost/agent.env <<'END'",
    `WAYPOST_URL=${quoted(origin)}`,
    `WAYPOST_EMAIL=${quoted(email)}`,
    `WAYPOST_NODE=${quoted(nodeName)}`,
    "END",
    "cat > /etc/systemd/system/waypost-agent.service <<'END'",
    ...unit,
    "END",
    "systemctl daemon-reload",
    "systemctl enable waypost-agent",
    "systemctl restart waypost-agent",
  ].join("\n");
}

/** As packaging/systemd has it, without the finer locks. */
const unit = [
  "[Unit]",
  "Description=Reports this node to a Waypost service",
  "After=network-online.target",
  "Wants=network-online.target",
  "",
  "[Service]",
  "ExecStart=/usr/bin/env node /opt/waypost-agent/agent.mjs",
  "EnvironmentFile=/etc/waypost/agent.env",
  "LoadCredential=report-token:/etc/waypost/report-token",
  "Environment=WAYPOST_REPORT_TOKEN_FILE=%d/report-token",
  "Restart=on-failure",
  "RestartSec=10",
  "RestartPreventExitStatus=2",
  "DynamicUser=yes",
  "StateDirectory=waypost-agent",
  "NoNewPrivileges=yes",
  "ProtectSystem=strict",
  "ProtectHome=yes",
  "",
  "[Install]",
  "WantedBy=multi-user.target",
];

/** As a POSIX shell takes it for one word. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** As a file of variables has it: systemd reads double quotes as a shell does (systemd.exec(5)). */
function quoted(value: string): string {
  return `"${value.replaceAll(/["\\`$]/g, String.raw`\$&`)}"`;
}

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Daemon } from "./daemon.ts";
import { freePort } from "./free-port.ts";
import { selfSigned } from "./self-signed.ts";

/** A real proxy in front of `upstreams`, set up by the file that the project hands out. */
export interface ReverseProxy {
  origin: string;
  /** The lines that it has written about what went wrong. */
  complaints(): string[];
  stop(): Promise<void>;
}

export async function startNginx(upstreams: readonly number[]): Promise<ReverseProxy> {
  const folder = await mkdtemp(join(tmpdir(), "waypost-nginx-"));
  const port = await freePort();
  await writeFile(join(folder, "fullchain.pem"), selfSigned.cert);
  await writeFile(join(folder, "privkey.pem"), selfSigned.key);
  const given = await packaged("nginx/waypost.conf");
  const site = given
    .replace(/^ *listen \[::\]:443 ssl;\n/m, "")
    .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
    .replaceAll("/etc/ssl/waypost", folder)
    .replace(/server 127\.0\.0\.1:8080 (.*);/, (_line, options: string) =>
      upstreams.map((each) => `server 127.0.0.1:${each} ${options};`).join("\n"),
    );
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${folder};`)
    .join("\n");
  await writeFile(
    join(folder, "nginx.conf"),
    `daemon off; pid ${folder}/pid; error_log stderr notice;
user root;
events { worker_connections 512; }
http { access_log off; ${temporary}
${site} }`,
  );
  const parameters = ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"];
  const daemon = await Daemon.start("nginx", parameters, /start worker processes/);
  return proxyAt(`https://127.0.0.1:${port}`, daemon, folder);
}

export async function startCaddy(upstreams: readonly number[]): Promise<ReverseProxy> {
  const folder = await mkdtemp(join(tmpdir(), "waypost-caddy-"));
  const port = await freePort();
  const file = join(folder, "Caddyfile");
  await writeFile(file, await packaged("caddy/Caddyfile"));
  const origin = `http://127.0.0.1:${port}`;
  const daemon = await Daemon.start(
    "caddy",
    ["run", "--config", file, "--adapter", "caddyfile"],
    /serving initial configuration/,
    (command, parameters, options) =>
      spawn(command, parameters, {
        ...options,
        env: {
          ...options.env,
          HOME: folder,
          CADDY_ADMIN: `unix/${folder}/admin`,
          WAYPOST_SITE: origin,
          WAYPOST_UPSTREAMS: upstreams.map((each) => `127.0.0.1:${each}`).join(" "),
        },
      }),
  );
  return proxyAt(origin, daemon, folder);
}

function proxyAt(origin: string, daemon: Daemon, folder: string): ReverseProxy {
  const stop = async () => {
    await daemon.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const complaints = () => daemon.said.filter((line) => /error|no live/.test(line));
  return { origin, complaints, stop };
}

async function packaged(path: string): Promise<string> {
  return readFile(fileURLToPath(new URL(`../../packaging/${path}`, import.meta.url)), "utf8");
}

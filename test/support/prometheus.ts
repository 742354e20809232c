import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Daemon } from "./daemon.ts";
import { freePort } from "./free-port.ts";

const packaging = new URL("../../packaging/prometheus/", import.meta.url);

export interface Sample {
  metric: Record<string, string>;
  /** NaN where there is no number. */
  value: number;
}

export interface Alert {
  name: string;
  state: "pending" | "firing";
}

/** A Prometheus that scrapes one service each second, set up with the files that are shipped. */
export class Prometheus {
  readonly #daemon: Daemon;
  readonly #origin: string;
  readonly #folder: string;

  private constructor(daemon: Daemon, origin: string, folder: string) {
    this.#daemon = daemon;
    this.#origin = origin;
    this.#folder = folder;
  }

  /** Alerts fire a second after their reason, without the patience that the file gives them. */
  static async start(target: URL, token: string): Promise<Prometheus> {
    const folder = await mkdtemp(join(tmpdir(), "waypost-prometheus-"));
    const tokenFile = join(folder, "token");
    const scrape = (await readFile(new URL("scrape.yaml", packaging), "utf8"))
      .replace(/scrape_interval: .*/, "scrape_interval: 1s")
      .replace(/credentials_file: .*/, `credentials_file: ${tokenFile}`)
      .replace("127.0.0.1:8080", target.host);
    const alerts = await readFile(new URL("alerts.yaml", packaging), "utf8");
    const config = `global: { evaluation_interval: 1s }
rule_files: [alerts.yaml]
scrape_configs:
${scrape}`;
    await writeFile(tokenFile, token);
    await writeFile(join(folder, "alerts.yaml"), alerts.replaceAll(/for: \w+/g, "for: 1s"));
    await writeFile(join(folder, "prometheus.yml"), config);
    const address = `127.0.0.1:${await freePort()}`;
    const parameters = [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=${address}`,
    ];
    const daemon = await Daemon.start("prometheus", parameters, /ready to receive web requests/);
    return new Prometheus(daemon, `http://${address}`, folder);
  }

  /** @throws an error with what Prometheus says about the expression */
  async query(expression: string): Promise<Sample[]> {
    const body = new URLSearchParams({ query: expression });
    const { result } = await this.#ask<{
      result: { metric: Record<string, string>; value: [number, string] }[];
    }>("/api/v1/query", { method: "POST", body });
    return result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
  }

  /** Those whose reason is there now, by their names. */
  async alerts(): Promise<Alert[]> {
    const { alerts } = await this.#ask<{
      alerts: { labels: { alertname: string }; state: Alert["state"] }[];
    }>("/api/v1/alerts");
    return alerts
      .map(({ labels, state }) => ({ name: labels.alertname, state }))
      .toSorted((a, b) => a.name.localeCompare(b.name));
  }

  async stop(): Promise<void> {
    await this.#daemon.stop();
    await rm(this.#folder, { recursive: true });
  }

  async #ask<T>(path: string, options: RequestInit = {}): Promise<T> {
    const response = await fetch(`${this.#origin}${path}`, options);
    const answer = (await response.json()) as { status: string; error?: string; data: T };
    if (answer.status !== "success") throw new Error(`${path}: ${answer.error}`);
    return answer.data;
  }
}

import { readFile } from "node:fs/promises";

export interface Panel {
  id: number;
  type: string;
  title: string;
  datasource?: { uid: string };
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; datasource: { uid: string } }[];
}

export interface Dashboard {
  uid: string;
  schemaVersion: number;
  panels: Panel[];
  templating: { list: { name: string; type: string; definition?: string }[] };
  annotations: { list: { expr: string }[] };
}

export async function readDashboard(): Promise<Dashboard> {
  const file = new URL("../../packaging/grafana/waypost.json", import.meta.url);
  return JSON.parse(await readFile(file, "utf8")) as Dashboard;
}

/** An expression of the dashboard as Grafana asks it, for all instances. */
export function fillIn(expression: string): string {
  return expression
    .replaceAll("$instance", ".*")
    .replaceAll("$__rate_interval", "5s")
    .replaceAll("$__interval", "5s");
}

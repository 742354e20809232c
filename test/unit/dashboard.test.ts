import { expect, test } from "vitest";
import { readDashboard, type Panel } from "../support/dashboard.ts";

const dashboard = await readDashboard();
const { panels } = dashboard;

test("the dashboard can be imported anywhere: its data source is a variable", () => {
  const names = dashboard.templating.list.map(({ name, type }) => [name, type]);
  expect(names).toEqual([
    ["datasource", "datasource"],
    ["instance", "query"],
  ]);
  const sources = panels.flatMap(({ type, datasource, targets = [] }) =>
    type === "row" ? [] : [datasource?.uid, ...targets.map((target) => target.datasource.uid)],
  );
  expect(new Set(sources)).toEqual(new Set(["${datasource}"]));
  expect(JSON.stringify(dashboard)).not.toMatch(/"uid":"[0-9a-zA-Z]{9,}"/);
});

test("every panel has an id, a title and a query of its own", () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const titles = panels.filter(({ type }) => type !== "row").map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
  const empty = panels.filter(
    ({ type, targets = [] }) => (type === "row") !== (targets.length === 0),
  );
  expect(empty).toEqual([]);
  const everywhere = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(everywhere.filter((expr) => !expr.includes('instance=~"$instance"'))).toEqual([]);
});

function overlap({ gridPos: a }: Panel, { gridPos: b }: Panel): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

test("no two panels lie on each other, and none reaches over the edge", () => {
  const clashes = panels.flatMap((one, at) =>
    panels.slice(at + 1).filter((other) => overlap(one, other)),
  );
  expect(clashes.map(({ title }) => title)).toEqual([]);
  expect(panels.filter(({ gridPos: { x, w } }) => x < 0 || x + w > 24)).toEqual([]);
});

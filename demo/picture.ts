import { useOf, type Spread } from "./world.ts";

/** What is shown of one moment. */
export interface Moment {
  secondsLeft: number;
  reportsPerSecond: number;
  queriesPerSecond: number;
  asked: Spread;
  sorted: Spread;
}

const LABEL = 34;
const COLUMN = 24;
const BAR = 14;
const bandNames = ["0–20 %", "20–40 %", "40–60 %", "60–80 %", "80–100 %", "over 100 %"];

/** The lines of the whole picture: both ways of choosing side by side. */
export function drawPicture({ asked, sorted, ...moment }: Moment): string[] {
  const row = (label: string, show: (spread: Spread) => string): string =>
    label.padEnd(LABEL) + show(asked).padEnd(COLUMN) + show(sorted);
  const bands = bandNames.map((name, band) =>
    row(`  ${name}`, ({ bands: counts }) => {
      const count = counts[band] ?? 0;
      const all = counts.reduce((sum, each) => sum + each, 0);
      return `${"█".repeat(Math.ceil((count / all) * BAR))} ${count || ""}`.trim();
    }),
  );
  return [
    `reports/s ${moment.reportsPerSecond.toFixed(0).padEnd(8)}queries/s ${moment.queriesPerSecond.toFixed(0).padEnd(8)}seconds left ${moment.secondsLeft.toFixed(0)}`,
    "",
    `${" ".repeat(LABEL)}${"asked POST /api/query".padEnd(COLUMN)}sorted the public list`,
    row("Jain's index (1 = all alike)", ({ jain }) => jain.toFixed(3)),
    row("most used node", ({ most }) => `${percent(useOf(most))}  ${most.name}`),
    row("least used node", ({ least }) => `${percent(useOf(least))}  ${least.name}`),
    row("clients on overcrowded nodes", ({ crowded, clients }) =>
      percent(crowded / (clients || 1)),
    ),
    "",
    "nodes by use of their room",
    ...bands,
  ];
}

/** The same in one line, for output that is not a terminal. */
export function describeMoment({ asked, sorted, ...moment }: Moment): string {
  return (
    `${moment.reportsPerSecond.toFixed(0)} reports/s, ${moment.queriesPerSecond.toFixed(0)} queries/s; ` +
    `asked: ${describeSpread(asked)}; sorted: ${describeSpread(sorted)}`
  );
}

function describeSpread({ jain, most, least }: Spread): string {
  return `Jain ${jain.toFixed(3)}, use ${percent(useOf(least))} to ${percent(useOf(most))}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

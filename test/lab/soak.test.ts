import { expect, it } from "vitest";
import { shortPlan } from "../../soak/plan.ts";
import { soak } from "../../soak/soak.ts";
import { describeInLaboratory } from "../support/laboratory.ts";

describeInLaboratory("Everything at once for two minutes", {}, (lab) => {
  it(
    "makes no error, loses no report and no change, and takes no more memory",
    { timeout: 300_000 },
    async () => {
      const { lines, faults } = await soak(lab(), shortPlan, () => {});
      console.info(lines.join("\n"));
      expect(faults).toEqual([]);
    },
  );
});

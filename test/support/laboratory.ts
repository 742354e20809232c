import { afterAll, beforeAll, describe } from "vitest";
import { Lab, type LabOptions } from "../../lab/lab.ts";
import { whyNoLaboratory } from "../../lab/requirements.ts";

/**
 * A group of tests in a laboratory that they share. Where none can be built the group is left out
 * and says so, except in CI, where that is a failure.
 * @param body is given a function that tests call for the laboratory
 */
export function describeInLaboratory(
  name: string,
  options: LabOptions,
  body: (lab: () => Lab) => void,
): void {
  const reason = whyNoLaboratory();
  if (reason && process.env["CI"]) throw new Error(reason);
  if (reason) console.warn(`LEFT OUT: ${name}. ${reason}`);
  describe.skipIf(reason !== undefined)(`${name}, in the laboratory`, () => {
    let built: Lab | undefined;
    beforeAll(async () => {
      built = await Lab.create(options);
    });
    afterAll(async () => {
      await built?.destroy();
    });
    body(() => {
      if (!built) throw new Error("The laboratory stands while tests run.");
      return built;
    });
  });
}

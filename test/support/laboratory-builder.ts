import { Lab } from "../../lab/lab.ts";

/** A process that builds a laboratory, tells its namespaces, and waits until it is ended. */
const lab = await Lab.create();
const namespaces = [lab.home, lab.router.namespace, lab.internet].map((each) => each.name);
process.send?.(namespaces);
process.on("disconnect", () => process.exit());

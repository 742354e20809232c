import { testQuietProbing } from "../lab/quiet-probing.ts";

/** Half an hour: `QUIET_MINUTES=30 npm run test:long -- test/long/engine-quiet.test.ts` */
testQuietProbing(Number(process.env["QUIET_MINUTES"] ?? 5) * 60);

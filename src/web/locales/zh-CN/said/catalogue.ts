import { Catalogue } from "../../../lib/catalogue.ts";
import { advice } from "./advice.ts";
import { callbacks } from "./callbacks.ts";
import { checks } from "./checks.ts";
import { domains } from "./domains.ts";
import { fields } from "./fields.ts";
import { holes } from "./holes.ts";
import { providers } from "./providers.ts";
import { refusals } from "./refusals.ts";

/** By what they are about; a test holds them to what the sources of the service can say. */
export const parts = [refusals, fields, callbacks, providers, domains, checks, holes, advice];

export const catalogue = new Catalogue(parts);

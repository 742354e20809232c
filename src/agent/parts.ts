import { createHash } from "node:crypto";
import { Books } from "./books.ts";
import { chooseSource } from "./choose-source.ts";
import { Journal } from "./journal.ts";
import type { Log } from "./log.ts";
import { Reporter } from "./reporter.ts";
import { ServiceClient } from "./service-client.ts";
import type { AgentSettings } from "./settings.ts";
import type { Source } from "./source.ts";
import type { World } from "./world.ts";

export interface AgentParts {
  source: Source;
  journal: Journal;
  books: Books;
  client: ServiceClient;
  reporter: Reporter;
}

/** Puts an agent together. @throws SourceError when there is no source to choose */
export async function assemble(
  settings: AgentSettings,
  log: Log,
  world: World,
): Promise<AgentParts> {
  const { url, identity, intervalMs, stateDir, traffic: direction } = settings;
  const source = await chooseSource(settings);
  const journal = new Journal(stateDir, journalName(settings));
  const books = new Books({ journal, source, direction, world });
  const client = new ServiceClient(url, identity, () => world.now());
  const reporter = new Reporter({ books, source, client, log, world, intervalMs });
  return { source, journal, books, client, reporter };
}

/** One journal for each node: several agents may share a folder. */
function journalName({ identity: { email, nodeName } }: AgentSettings): string {
  const node = `${email.toLowerCase()}\0${nodeName}`;
  return `journal-${createHash("sha256").update(node).digest("hex").slice(0, 16)}`;
}

import { AppError } from "../lib/errors.ts";
import type { Fleet } from "../nodes/fleet.ts";
import type { QueryService } from "../query/service.ts";
import { ANSWER_LIFE_MS } from "../query/service.ts";
import { readWords, type Words } from "./input.ts";
import { PeerUrls } from "./peer-url.ts";

/** An answer that is ready to be sent. */
export interface ReadyAnswer {
  status: 200 | 302;
  headers: Readonly<Record<string, string>>;
  body: string;
}

const common = { "content-type": "text/plain; charset=utf-8", vary: "X-Network-Name" };
/** For everybody who names the same network. */
const kept = { ...common, "cache-control": `public, max-age=${ANSWER_LIFE_MS / 1000}` };
/** A draw is for one client: kept by a cache, it would send all of them to one node. */
const drawn = { ...common, "cache-control": "no-store" };
const RETRY_AFTER_SECONDS = 5;

/** Names one node as the overlay's clients read the address of a peer. */
export class ConnectService {
  readonly #query: Pick<QueryService, "pickOne">;
  readonly #urls: PeerUrls;

  constructor(query: Pick<QueryService, "pickOne">, fleet: Fleet) {
    this.#query = query;
    this.#urls = new PeerUrls(fleet);
  }

  /**
   * The answer to `GET /connect`. A network that names itself gets the same node for as long as
   * that has room; the name goes no further than this call.
   * @param networkName of the header `X-Network-Name`
   * @throws AppError invalid_request, no_eligible_node
   */
  answer(networkName: string | undefined, words: Words): ReadyAnswer {
    const { redirect, wanted } = readWords(words);
    const name = networkName === "" ? undefined : networkName;
    const found = this.#query.pickOne(wanted, name);
    if (!found) {
      throw new AppError("no_eligible_node", "No node is available that fits; try again shortly", {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    const url = this.#urls.of(found.slot, found.transport);
    const headers = name === undefined ? drawn : kept;
    if (!redirect) return { status: 200, headers, body: `${url}\n` };
    return { status: 302, headers: { ...headers, location: url }, body: `${url}\n` };
  }
}

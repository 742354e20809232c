import { judgeMapping } from "./behaviour.ts";
import type { DiagnosisPorts, StreamPort } from "./diagnosis-ports.ts";
import type { Endpoint } from "./endpoint.ts";
import { ableServers, askEach, askGroup, toSightings } from "./exploration.ts";
import type { Exploration, FirstAnswer } from "./exploration.ts";

const HAIRPIN_MS = 2_000;

/** Finds out how the NAT treats TCP, by TCP. Who is let in cannot be asked over a connection. */
export class TcpExploration {
  readonly #ports: DiagnosisPorts;
  readonly #localAddress: string | null;

  constructor(ports: DiagnosisPorts, localAddress: string | null) {
    this.#ports = ports;
    this.#localAddress = localAddress;
  }

  /**
   * Takes 8 s at most, once `others` are there.
   * @param others the other endpoints of servers, in their order, as far as they are known: over
   * connections servers do not tell
   * @throws HoleError; the reason of `signal`
   */
  async run(
    servers: readonly Endpoint[],
    others: () => Promise<readonly (Endpoint | undefined)[]>,
    signal: AbortSignal,
  ): Promise<Exploration> {
    const port = this.#ports.stream(this.#localAddress);
    try {
      await port.open();
      return await this.#explore(port, servers, others, signal);
    } finally {
      await port.close();
    }
  }

  async #explore(
    port: StreamPort,
    servers: readonly Endpoint[],
    others: () => Promise<readonly (Endpoint | undefined)[]>,
    signal: AbortSignal,
  ): Promise<Exploration> {
    const ask = (server: Endpoint) => port.ask(server, signal);
    const answers = await askEach(servers, ask);
    const told = answers.every(({ other }) => other) ? [] : await others();
    for (const [index, answer] of answers.entries()) answer.other ??= told[index];
    const [groups, cameBack] = await Promise.all([
      Promise.all(ableServers(answers).map((each) => askGroup(each, answers, ask))),
      tryHairpin(port, answers, signal),
    ]);
    const judgement = judgeMapping(
      [...groups, ...toSightings(answers).map((each) => [each])],
      ({ address, port: mapped }) =>
        mapped === port.local.port && this.#ports.isOwnAddress(address),
    );
    const hairpin = judgement.mapping === "none" ? null : cameBack;
    return { ...judgement, answers, filtering: "unknown", hairpin };
  }
}

/** Null when nobody was reached: the filter may keep us out, and not only the missing way back. */
async function tryHairpin(
  port: StreamPort,
  answers: readonly FirstAnswer[],
  signal: AbortSignal,
): Promise<boolean | null> {
  const mapped = answers.find((each) => each.mapped !== null)?.mapped;
  if (!mapped) return null;
  const reached = await port.reach(mapped, HAIRPIN_MS, signal);
  return reached === "nobody" ? null : reached === "us";
}

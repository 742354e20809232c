import { randomBytes } from "node:crypto";
import type { BindingOutcome } from "./binding.ts";
import { judgeFiltering, judgeMapping, type Dependence } from "./behaviour.ts";
import type { DatagramPort, DiagnosisPorts } from "./diagnosis-ports.ts";
import type { Endpoint } from "./endpoint.ts";
import {
  ableServers,
  askEach,
  askGroup,
  toFirstAnswer,
  toSightings,
  WHOLE_GROUP,
} from "./exploration.ts";
import type { AbleServer, Exploration, FirstAnswer } from "./exploration.ts";

/** Datagrams to ourselves get lost like others. */
const HAIRPIN_TRIES = 3;
const BETWEEN_TRIES_MS = 300;
/** First byte of what is no STUN (RFC 7983). */
const NOT_STUN = 0xff;
const TOKEN_BYTES = 16;

interface FilterTrial {
  fromOtherAddress: boolean;
  fromOtherPort: boolean;
  /** No answer has come from where none was asked for. */
  obeys: boolean;
}

/**
 * Finds out how the NAT treats UDP (RFC 5780). Three ports are used: filters open to whom a port has
 * sent, so that what has asked servers at two addresses cannot tell any more who else is let in.
 */
export class UdpExploration {
  readonly #ports: DiagnosisPorts;
  readonly #localAddress: string | null;
  readonly #open: DatagramPort[] = [];

  constructor(ports: DiagnosisPorts, localAddress: string | null) {
    this.#ports = ports;
    this.#localAddress = localAddress;
  }

  /** Takes 9 s at most. @throws HoleError; the reason of `signal` */
  async run(servers: readonly Endpoint[], signal: AbortSignal): Promise<Exploration> {
    try {
      const port = await this.#openPort();
      return await this.#explore(port, servers, signal);
    } finally {
      await Promise.all(this.#open.map((port) => port.close()));
    }
  }

  async #explore(
    port: DatagramPort,
    servers: readonly Endpoint[],
    signal: AbortSignal,
  ): Promise<Exploration> {
    const ask = (server: Endpoint) => port.ask({ server }, signal);
    const answers = await askEach(servers, ask);
    const able = ableServers(answers);
    const [groups, filters, cameBack] = await Promise.all([
      Promise.all(able.map((each) => askGroup(each, answers, ask))),
      Promise.all(able.map((each) => this.#tryFilter(each, signal))),
      this.#tryHairpin(port, answers, signal),
    ]);
    const isOwn = ({ address, port: mapped }: Endpoint) =>
      mapped === port.local.port && this.#ports.isOwnAddress(address);
    const judgement = judgeMapping(
      // The servers of the list know nothing of each other, and each is a group of its own.
      [...groups, ...toSightings(answers).map((each) => [each])],
      isOwn,
    );
    const findings = filters.map((filter, index) => {
      const isServerAble = filter.obeys && groups[index]?.length === WHOLE_GROUP;
      return judgeFiltering({ ...filter, isServerAble }, judgement.mapping);
    });
    const filtering = findings.find((each) => each !== "unknown") ?? "unknown";
    return { ...judgement, answers, filtering, hairpin: toHairpin(cameBack, judgement.mapping) };
  }

  /** Which answers come in from elsewhere than where we sent. */
  async #tryFilter({ server, other }: AbleServer, signal: AbortSignal): Promise<FilterTrial> {
    const port = await this.#openPort();
    // Makes the mapping, so that what is missing afterwards was filtered.
    const first = await port.ask({ server }, signal);
    const [byAddress, byPort] = await Promise.all([
      port.ask({ server, change: { address: true, port: true }, answersFrom: other }, signal),
      port.ask(
        {
          server,
          change: { address: false, port: true },
          answersFrom: { address: server.address, port: other.port },
        },
        signal,
      ),
    ]);
    return {
      fromOtherAddress: isSuccess(byAddress),
      fromOtherPort: isSuccess(byPort),
      obeys: isSuccess(first) && port.misplacedAnswers === 0,
    };
  }

  /** Two ports of ours send to each other's public address; each has opened its filter by that. */
  async #tryHairpin(
    port: DatagramPort,
    answers: readonly FirstAnswer[],
    signal: AbortSignal,
  ): Promise<boolean | null> {
    const known = answers.find(({ mapped }) => mapped !== null);
    if (!known?.mapped) return null;
    const second = await this.#openPort();
    const { mapped } = toFirstAnswer(known.server, await second.ask(known, signal));
    if (!mapped) return null;
    const token = Buffer.concat([Buffer.from([NOT_STUN]), randomBytes(TOKEN_BYTES)]);
    for (let tries = 0; tries < HAIRPIN_TRIES; tries++) {
      second.send(token, known.mapped);
      port.send(token, mapped);
      const heard = await Promise.all([
        port.hears(token, BETWEEN_TRIES_MS, signal),
        second.hears(token, BETWEEN_TRIES_MS, signal),
      ]);
      if (heard.includes(true)) return true;
    }
    return false;
  }

  async #openPort(): Promise<DatagramPort> {
    const port = this.#ports.datagram(this.#localAddress);
    this.#open.push(port);
    await port.open();
    return port;
  }
}

/** Where each destination has a mapping of its own, no filter was opened to the way back. */
function toHairpin(cameBack: boolean | null, mapping: Dependence): boolean | null {
  if (mapping === "none") return null;
  return cameBack === false && mapping !== "endpoint_independent" ? null : cameBack;
}

function isSuccess(outcome: BindingOutcome): boolean {
  return !("error" in outcome) && outcome.response.kind === "success";
}

import { Acs3Verifier } from "./acs3-verifier.ts";
import { ProviderServer, type Received, type Reply } from "./provider-server.ts";

type Rule = Record<string, unknown>;

const KEY = { id: "LTAI-test-access-key", secret: "aliyun-secret-0123456789" };
const SITE = "334295327542272";
const VERSION = "2024-09-10";

const matching: readonly string[] = ["Rule", "RuleEnable", "RuleName", "Sequence"];
const settings: readonly string[] = [
  "DnsRecord",
  "Follow302Enable",
  "Follow302MaxTries",
  "Follow302RetainArgs",
  "Follow302RetainHeader",
  "Follow302TargetHost",
  "OriginHost",
  "OriginHttpPort",
  "OriginHttpsPort",
  "OriginMtls",
  "OriginReadTimeout",
  "OriginScheme",
  "OriginSni",
  "OriginVerify",
  "Range",
  "RangeChunkSize",
];

const statuses: Readonly<Record<string, number>> = {
  "InvalidAccessKeyId.NotFound": 404,
  SiteNotFound: 404,
  "ConfigNotFound.Rule": 404,
};

/** The origin rules of one ESA site: signed calls, everything in the query, omitted fields stay. */
export class FakeAliyun {
  readonly key = KEY;
  readonly siteId = SITE;
  /** By their ConfigId. */
  readonly rules = new Map<string, Rule>();
  /** Runs after a write was stored. */
  afterWrite: (rule: Rule) => void = () => {};
  readonly server: ProviderServer;
  readonly #verifier: Acs3Verifier;

  private constructor(server: ProviderServer, now: () => number) {
    this.server = server;
    this.#verifier = new Acs3Verifier({ [KEY.id]: KEY.secret }, now);
    server.answer = (request) => this.#answer(request);
  }

  static async listen(now: () => number): Promise<FakeAliyun> {
    return new FakeAliyun(await ProviderServer.listen(), now);
  }

  #answer({ method, url, message, body }: Received): Reply {
    const fault = this.#verifier.check(message, body);
    if (fault !== undefined) return failure(fault);
    const { "x-acs-action": action, "x-acs-version": version } = message.headers;
    if (version !== VERSION) return failure("InvalidVersion");
    if (body.length > 0) return failure("InvalidParameter");
    const query = Object.fromEntries(url.searchParams);
    const objection = this.#objectionTo(query);
    if (objection !== undefined) return failure(objection);
    const rule = this.rules.get(query.ConfigId ?? "");
    if (!rule) return failure("ConfigNotFound.Rule");
    if (action === "GetOriginRule") {
      return method === "GET" ? success({ ...rule, RequestId: newRequestId() }) : wrongMethod();
    }
    if (action === "UpdateOriginRule")
      return method === "POST" ? this.#update(rule, query) : wrongMethod();
    return failure("InvalidAction.NotFound");
  }

  #objectionTo({ SiteId: site, ConfigId: config, ...others }: Record<string, string>) {
    if (site === undefined || config === undefined) return "MissingParameter";
    if (site !== this.siteId) return "SiteNotFound";
    const known = [...settings, ...matching];
    return Object.keys(others).some((name) => !known.includes(name))
      ? "InvalidParameter"
      : undefined;
  }

  #update(
    rule: Rule,
    { SiteId: _site, ConfigId: _config, ...given }: Record<string, string>,
  ): Reply {
    const misplaced = Object.keys(given).find((name) => matching.includes(name));
    if (rule.ConfigType === "global" && misplaced !== undefined) {
      return failure(`CanNotSet${misplaced}`);
    }
    for (const name of ["OriginHttpPort", "OriginHttpsPort"]) {
      const port = Number(given[name] ?? 1);
      if (!Number.isInteger(port) || port < 1 || port > 65_535) return failure("InvalidParameter");
    }
    Object.assign(rule, given);
    this.afterWrite(rule);
    return success({ RequestId: newRequestId() });
  }
}

let requests = 0;

function newRequestId(): string {
  requests += 1;
  return `CB1A380B-09F0-41BB-A198-${String(requests).padStart(12, "0")}`;
}

function success(body: unknown): Reply {
  return { status: 200, body };
}

function wrongMethod(): Reply {
  return failure("UnsupportedHTTPMethod");
}

function failure(Code: string): Reply {
  const Message = `The request failed: ${Code}`;
  const body = { RequestId: newRequestId(), HostId: "esa.example", Code, Message, Recommend: "" };
  return { status: statuses[Code] ?? 400, body };
}

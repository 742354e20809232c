import { useTranslation } from "react-i18next";
import type { Rule, RuleState, RuleStatus } from "../../shared/api/stun.ts";
import { StatusBadge, type Tone } from "../components/status-badge.tsx";
import { useServiceWords } from "../lib/use-service-words.ts";

const tones: Readonly<Record<RuleStatus, Tone>> = {
  disabled: "calm",
  starting: "busy",
  open: "good",
  suspect: "warn",
  lost: "bad",
  unstable: "warn",
  endpoint_dependent: "bad",
  error: "bad",
};

export function RuleStatusBadge({ status }: { status: RuleStatus }) {
  const { t } = useTranslation("stun");
  return <StatusBadge tone={tones[status]}>{t(`status.${status}.word`)}</StatusBadge>;
}

interface RuleStatusWordsProps {
  state: RuleState;
  /** Without what to do. */
  isShort?: boolean;
}

/** What a state means, and what to do where something is to be done. */
export function RuleStatusWords({ state, isShort = false }: RuleStatusWordsProps) {
  const { t } = useTranslation("stun");
  const say = useServiceWords();
  const { status, last_error: error, consecutive_failures: failures } = state;
  const isFailing = failures > 0 && status !== "disabled";
  return (
    <>
      <span>{t(`status.${status}.means`)}</span>{" "}
      {status !== "open" && !isShort && <span>{t(`status.${status}.todo`)}</span>}{" "}
      {isFailing && <span>{t("failures", { count: failures })}</span>}{" "}
      {error !== null && status !== "disabled" && (
        <span>{t("lastError", { error: say(error).text })}</span>
      )}
    </>
  );
}

interface StandInProps {
  rule: Rule;
  /** The instance that does. */
  standIn: string;
  length: "short" | "words";
}

/** Who holds the hole while the instance that the rule names is dead. */
export function StandIn({ rule: { instance }, standIn, length }: StandInProps) {
  const { t } = useTranslation("stun");
  return t(`standIn.${length}`, { standIn, instance });
}

/** `ip:port`, an IPv6 address in brackets; undefined when there is none. */
export function publicAddress({
  public_ip: ip,
  public_port: port,
}: {
  public_ip: string | null;
  public_port: number | null;
}): string | undefined {
  if (ip === null || port === null) return undefined;
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}

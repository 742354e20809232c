import { useTranslation } from "react-i18next";
import type { Rule } from "../../shared/api/stun.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { KeyValue } from "../components/key-value.tsx";
import { Section } from "../components/section.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { VerdictBox } from "../components/verdict-box.tsx";
import { ProbeNow } from "./probe-now.tsx";
import { useStandIns } from "./queries.ts";
import { publicAddress, RuleStatusBadge, RuleStatusWords, StandIn } from "./rule-status.tsx";
import classes from "./stun.module.css";

/** Where the rule is reached from outside, right now. */
export function LiveState({ rule }: { rule: Rule }) {
  const { t } = useTranslation("stun");
  const standIn = useStandIns().get(rule.id);
  const { state, forward_to: target } = rule;
  const address = publicAddress(state);
  const local = state.local_port === null ? "–" : `${state.local_address}:${state.local_port}`;
  const facts = [
    [t("localSocket"), <code key="local">{local}</code>],
    [t("forwardTo"), target ? <code key="to">{`${target.host}:${target.port}`}</code> : "–"],
    [t("server"), state.server === null ? "–" : <code key="server">{state.server}</code>],
    [t("lastProbe"), state.last_probe_at ? <TimeAgo key="at" at={state.last_probe_at} /> : "–"],
    [t("lastChange"), state.last_change_at ? <TimeAgo key="at" at={state.last_change_at} /> : "–"],
  ] as const;
  return (
    <Section title={t("live")} actions={<RuleStatusBadge status={state.status} />}>
      <div className={classes.live} aria-live="polite">
        <div className={classes.big}>
          {address === undefined ? (
            <span>{t("noAddress")}</span>
          ) : (
            <>
              <code>{address}</code>
              <CopyButton text={address} what={t("publicAddress")} />
            </>
          )}
        </div>
        <p className={classes.means}>
          <RuleStatusWords state={state} />
        </p>
        {standIn !== undefined && (
          <div className={classes.standIn}>
            <VerdictBox tone="warn">
              <StandIn rule={rule} standIn={standIn} length="words" />
            </VerdictBox>
          </div>
        )}
      </div>
      <KeyValue facts={facts} />
      <ProbeNow rule={rule} />
    </Section>
  );
}

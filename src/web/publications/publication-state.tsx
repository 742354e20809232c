import { useTranslation } from "react-i18next";
import type { Publication } from "../../shared/api/publications.ts";
import { CopyField } from "../components/copy-field.tsx";
import { KeyValue } from "../components/key-value.tsx";
import { Section } from "../components/section.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { VerdictBox } from "../components/verdict-box.tsx";
import { useFormat } from "../lib/use-format.ts";
import { useNow } from "../lib/use-now.ts";
import { useServiceWords } from "../lib/use-service-words.ts";
import { NodeList } from "./node-list.tsx";
import { PublicationStatusBadge } from "./publication-status.tsx";
import classes from "./publications.module.css";
import { RecordList } from "./record-list.tsx";

/** What stands at the provider, since when, and what comes next. */
export function PublicationState({ publication }: { publication: Publication }) {
  const { t } = useTranslation("publications");
  const say = useServiceWords();
  const { state, type, peer_url: url } = publication;
  const { status, nodes, records, note, error } = state;
  return (
    <Section title={t("state")} actions={<PublicationStatusBadge status={status} />}>
      <p className={classes.means}>{t(`means.${status}`)}</p>
      {error !== null && (
        <div className={classes.means}>
          <VerdictBox tone="bad">{say(error).text}</VerdictBox>
        </div>
      )}
      <Times state={state} />
      <h3 className={classes.part}>{t("peerUrl")}</h3>
      <CopyField label={t("peerUrl")} text={url} />
      {nodes.length > 0 && <h3 className={classes.part}>{t("nodes")}</h3>}
      <NodeList nodes={nodes} type={type} />
      {note !== null && <p className={classes.small}>{say(note).text}</p>}
      {records.length > 0 && (
        <h3 className={classes.part}>{t(error === null ? "records" : "recordsPerhaps")}</h3>
      )}
      <RecordList records={records} />
    </Section>
  );
}

const RENEWED_MS = 1_000;

function ago(at: string | null) {
  return at === null ? "–" : <TimeAgo at={at} />;
}

function Times({ state }: { state: Publication["state"] }) {
  const { t } = useTranslation("publications");
  const format = useFormat();
  const now = useNow(RENEWED_MS);
  const { last_change_at: changed, last_success_at: seen, next_attempt_at: next } = state;
  const isSoon = next !== null && Date.parse(next) <= now;
  return (
    <KeyValue
      facts={[
        [t("lastChange"), ago(changed)],
        [t("lastSuccess"), ago(seen)],
        [t("nextAttempt"), next === null ? "–" : isSoon ? t("now") : format.relative(next, now)],
      ]}
    />
  );
}

import { useDebouncedValue } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import type { NewPublication } from "../../shared/api/publications.ts";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { Section } from "../components/section.tsx";
import { VerdictBox } from "../components/verdict-box.tsx";
import { useErrorWords } from "../lib/error-words.ts";
import { useServiceWords } from "../lib/use-service-words.ts";
import { NodeList } from "./node-list.tsx";
import classes from "./publications.module.css";
import { usePublicationPreview } from "./queries.ts";
import { RecordList } from "./record-list.tsx";

const TYPING_MS = 350;

interface PublicationPreviewProps {
  /** As one of a form; undefined while something in it is wrong. */
  body: NewPublication | undefined;
  /** Of the publication that is changed. */
  id: number | undefined;
}

/** Which nodes and records would be published, while one types. */
export function PublicationPreview({ body, id }: PublicationPreviewProps) {
  const { t } = useTranslation("publications");
  const toWords = useErrorWords();
  const say = useServiceWords();
  const text = body && JSON.stringify(body);
  const [settled] = useDebouncedValue(text, TYPING_MS);
  const asked = settled === undefined ? undefined : (JSON.parse(settled) as NewPublication);
  const { data, error } = usePublicationPreview(asked, id);
  return (
    <Section title={t("preview.title")} lead={t("preview.lead")}>
      <div aria-live="polite">
        {!asked && <p className={classes.small}>{t("preview.unasked")}</p>}
        {asked && error && <VerdictBox tone="bad">{toWords(error)}</VerdictBox>}
        {asked && !error && !data && <CardSkeleton height={120} />}
        {asked && !error && data && (
          <>
            {data.nodes.length === 0 && <VerdictBox tone="warn">{t("preview.none")}</VerdictBox>}
            {data.note !== null && <p className={classes.small}>{say(data.note).text}</p>}
            <NodeList nodes={data.nodes} type={asked.type} />
            {data.records.length > 0 && <h3 className={classes.part}>{t("records")}</h3>}
            <RecordList records={data.records} />
          </>
        )}
      </div>
    </Section>
  );
}

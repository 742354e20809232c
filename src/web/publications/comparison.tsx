import { Button } from "@mantine/core";
import { IconTestPipe } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { Static } from "typebox";
import { useTranslation } from "react-i18next";
import type {
  PublicationComparison,
  PublicationComparisonAnswer,
} from "../../shared/api/publications.ts";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Section } from "../components/section.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { VerdictBox } from "../components/verdict-box.tsx";
import { useApi } from "../lib/services.tsx";
import { useServiceWords } from "../lib/use-service-words.ts";
import classes from "./publications.module.css";
import { publicationsPath } from "./queries.ts";

/** Reads at the provider, and says what the next publication would change. */
export function Comparison({ id }: { id: number }) {
  const { t } = useTranslation("publications");
  const api = useApi();
  const compare = useMutation({
    mutationFn: () =>
      api.post<Static<typeof PublicationComparisonAnswer>>(`${publicationsPath}/${id}/compare`),
  });
  const found = compare.data?.comparison;
  return (
    <Section title={t("compare.title")} lead={t("compare.lead")}>
      <Button
        variant="default"
        leftSection={<IconTestPipe size={16} aria-hidden />}
        loading={compare.isPending}
        onClick={() => compare.mutate()}
      >
        {t("compare.action")}
      </Button>
      <div aria-live="polite" className={classes.change}>
        {compare.isPending && t("compare.running")}
        {compare.error && <ErrorNotice error={compare.error} />}
        {found && <Found found={found} />}
      </div>
    </Section>
  );
}

function Found({ found }: { found: PublicationComparison }) {
  const { t } = useTranslation("publications");
  const say = useServiceWords();
  const isBroken = found.records.some(({ error }) => error !== null);
  return (
    <>
      {!isBroken && (
        <StatusBadge tone={found.changed ? "busy" : "good"}>
          {t(found.changed ? "compare.changes" : "compare.same")}
        </StatusBadge>
      )}
      <ul className={classes.records} aria-label={t("records")}>
        {found.records
          .filter(({ result }) => result !== "current")
          .map(({ name, type, before, after, error }) => (
            <li key={`${name} ${type}`} className={classes.change}>
              <div className={classes.recordName}>
                <code>{name}</code> <span className={classes.type}>{type}</span>
              </div>
              {error !== null && <VerdictBox tone="bad">{say(error).text}</VerdictBox>}
              {error === null && <Values before={before ?? []} after={after ?? []} />}
            </li>
          ))}
      </ul>
    </>
  );
}

function Values({ before, after }: { before: readonly string[]; after: readonly string[] }) {
  const { t } = useTranslation("publications");
  const gone = before.filter((value) => !after.includes(value));
  return (
    <>
      {gone.map((value) => (
        <code key={value} className={classes.value}>
          <span>{t("compare.gone")}</span> <del>{value}</del>
        </code>
      ))}
      {after.map((value) => (
        <code key={value} className={classes.value}>
          {!before.includes(value) && <span>{t("compare.comes")} </span>}
          {value}
        </code>
      ))}
    </>
  );
}

import { NativeSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Static } from "typebox";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PreviewAnswer, PreviewBody } from "../../shared/api/callbacks.ts";
import { ApiError } from "../lib/api-error.ts";
import { useErrorWords } from "../lib/error-words.ts";
import { useApi } from "../lib/services.tsx";
import { useRules } from "../stun/queries.ts";
import { bodyPlace, positionOf } from "./template-places.ts";
import classes from "./template-preview.module.css";

const TYPING_MS = 350;

interface TemplatePreviewProps {
  url: string;
  headers: string;
  body: string;
}

/** What the texts of a webhook become with a rule's mapping, as the service escapes them. */
export function TemplatePreview({ url, headers, body }: TemplatePreviewProps) {
  const { t } = useTranslation("callback-accounts");
  const { data: rules = [] } = useRules();
  const [rule, setRule] = useState("");
  const lines = headers.split("\n").filter((line) => line.trim() !== "");
  const ruleId = rule === "" ? undefined : Number(rule);
  return (
    <section className={classes.preview} aria-label={t("template.preview")}>
      <div className={classes.head}>
        <h3 className={classes.title}>{t("template.preview")}</h3>
        <NativeSelect
          size="xs"
          aria-label={t("template.with")}
          value={rule}
          onChange={(event) => setRule(event.currentTarget.value)}
          data={[
            { value: "", label: t("template.examples") },
            ...rules.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
      </div>
      {`${url}${headers}${body}`.trim() === "" && (
        <p className={classes.label}>{t("template.nothing")}</p>
      )}
      <Part label={t("field.url")} template={url} place="url" ruleId={ruleId} />
      {lines.map((line, n) => (
        // oxlint-disable-next-line react/no-array-index-key -- a line is known by its place
        <Part key={n} label={t("template.header")} template={line} place="header" ruleId={ruleId} />
      ))}
      {body.trim() === "" ? null : (
        <Part
          label={t("field.body_template")}
          template={body}
          place={bodyPlace(headers, body)}
          ruleId={ruleId}
        />
      )}
    </section>
  );
}

interface PartProps {
  label: string;
  template: string;
  place: PreviewBody["place"];
  ruleId: number | undefined;
}

function Part({ label, template, place, ruleId }: PartProps) {
  const { t } = useTranslation("callback-accounts");
  const api = useApi();
  const toWords = useErrorWords();
  const [settled] = useDebouncedValue(template, TYPING_MS);
  const { data, error } = useQuery({
    queryKey: ["preview", place, ruleId, settled],
    queryFn: async () => {
      const given: PreviewBody = {
        template: settled,
        place,
        ...(ruleId !== undefined && { stun_rule_id: ruleId }),
      };
      return await api.post<Static<typeof PreviewAnswer>>("/api/callbacks/preview", given);
    },
    enabled: settled.trim() !== "",
    placeholderData: keepPreviousData,
  });
  if (template.trim() === "") return null;
  const message = error instanceof ApiError ? error.fields[0]?.message : undefined;
  const position = message === undefined ? undefined : positionOf(settled, message);
  return (
    <div className={classes.part}>
      <div className={classes.label}>
        {label}
        {place !== "url" && place !== "header" && ` · ${t(`template.place.${place}`)}`}
      </div>
      {error ? (
        <p className={classes.error} role="status">
          {position && `${t("template.position", { ...position })} `}
          {message ?? toWords(error)}
        </p>
      ) : (
        <pre className={classes.text}>{data?.preview.text ?? "…"}</pre>
      )}
    </div>
  );
}

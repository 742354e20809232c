import { Button } from "@mantine/core";
import { IconRadar2 } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Static } from "typebox";
import { useTranslation } from "react-i18next";
import type { ProbeAnswer, Rule } from "../../shared/api/stun.ts";
import { ErrorNotice } from "../components/error-notice.tsx";
import { VerdictBox } from "../components/verdict-box.tsx";
import { useFormat } from "../lib/use-format.ts";
import { useServiceWords } from "../lib/use-service-words.ts";
import { useApi } from "../lib/services.tsx";
import { publicAddress } from "./rule-status.tsx";
import classes from "./probe-now.module.css";

type Observation = Static<typeof ProbeAnswer>["observation"];

/** Asks a STUN server at once, and says what it saw. */
export function ProbeNow({ rule }: { rule: Rule }) {
  const { t } = useTranslation("stun");
  const api = useApi();
  const client = useQueryClient();
  const probe = useMutation({
    mutationFn: () => api.post<Static<typeof ProbeAnswer>>(`/api/stun/rules/${rule.id}/probe`),
    onSuccess: () => client.invalidateQueries({ queryKey: ["stun"] }),
  });
  if (!rule.enabled) return null;
  return (
    <div className={classes.probe}>
      <Button
        variant="default"
        leftSection={<IconRadar2 size={16} aria-hidden />}
        loading={probe.isPending}
        onClick={() => probe.mutate()}
      >
        {t("probe.action")}
      </Button>
      <div className={classes.result} aria-live="polite">
        {probe.isPending && t("probe.running")}
        {probe.isError && <ErrorNotice title={t("probe.failed")} error={probe.error} />}
        {probe.isSuccess && <Result seen={probe.data.observation} />}
      </div>
    </div>
  );
}

function Result({ seen }: { seen: Observation }) {
  const { t } = useTranslation("stun");
  const format = useFormat();
  const say = useServiceWords();
  const address = publicAddress(seen);
  if (address === undefined) {
    return (
      <VerdictBox tone="bad">
        {t("probe.silent", { server: seen.server, error: say(seen.error ?? "").text })}
      </VerdictBox>
    );
  }
  const rtt = seen.rtt_ms === null ? "–" : format.milliseconds(seen.rtt_ms);
  return (
    <VerdictBox tone="good">{t("probe.answer", { server: seen.server, address, rtt })}</VerdictBox>
  );
}

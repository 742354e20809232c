import { Group, Progress, Radio, Stack, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { StunDiagnosis, StunDiagnosisBody } from "../../shared/api/stun-diagnosis.ts";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Fold } from "../components/fold.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Section } from "../components/section.tsx";
import { SubmitButton } from "../components/submit-button.tsx";
import { ApiError } from "../lib/api-error.ts";
import { onlyWrong, toLines, useFieldChecks } from "../lib/field-checks.ts";
import { useApi } from "../lib/services.tsx";
import { useCheckedForm } from "../lib/use-checked-form.ts";
import { DiagnosisResult } from "./diagnosis-result.tsx";

const SERVERS = 16;

interface DiagnosisValues {
  transport: "udp" | "tcp";
  /** One `host:port` a line. */
  stun_servers: string;
}

/** What the NAT between this service and the internet does, and what that means for rules. */
export function DiagnosisPage() {
  const { t } = useTranslation("diagnosis");
  const api = useApi();
  const checks = useFieldChecks();
  const form = useCheckedForm<DiagnosisValues>({
    initialValues: { transport: "udp", stun_servers: "" },
    check: (values) => onlyWrong({ stun_servers: checks.hostPorts(values.stun_servers, SERVERS) }),
  });
  const diagnosis = useMutation({
    mutationFn: ({ transport, stun_servers: text }: DiagnosisValues) => {
      const servers = toLines(text);
      const body: StunDiagnosisBody = {
        transport,
        ...(servers.length > 0 && { stun_servers: servers }),
      };
      return api.post<StunDiagnosis>("/api/stun/diagnose", body);
    },
    onError: (error) => {
      const refused = error instanceof ApiError ? error.fields[0]?.message : undefined;
      if (refused !== undefined) form.setErrors({ stun_servers: refused });
    },
  });
  const { isPending, data, error } = diagnosis;
  const isWrong = form.errors["stun_servers"] !== undefined;
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <form noValidate onSubmit={form.onSubmit((values) => diagnosis.mutate(values))}>
        <Section title={t("question")}>
          <Stack>
            <Radio.Group
              label={t("transport")}
              description={t("transportHint")}
              {...form.getInputProps("transport")}
            >
              <Group mt="xs">
                <Radio value="udp" label="UDP" />
                <Radio value="tcp" label="TCP" />
              </Group>
            </Radio.Group>
            <Fold title={t("ownServers")} isForcedOpen={isWrong} isPlain>
              <Textarea
                label={t("servers")}
                description={t("serversHint")}
                autosize
                minRows={2}
                maxRows={8}
                spellCheck={false}
                {...form.getInputProps("stun_servers")}
              />
            </Fold>
            <div>
              <SubmitButton isSending={isPending}>{t("start")}</SubmitButton>
            </div>
          </Stack>
        </Section>
      </form>
      <div aria-live="polite">
        {isPending && (
          <Section title={t("running")} lead={t("runningWhat")}>
            <Progress value={100} animated striped aria-label={t("running")} />
          </Section>
        )}
        {error && !isWrong && (
          <ErrorNotice
            title={t("failed")}
            error={error}
            onRetry={() => diagnosis.mutate(form.getValues())}
          />
        )}
        {data && !isPending && <DiagnosisResult found={data} />}
      </div>
    </>
  );
}

import { Button } from "@mantine/core";
import { IconPlugConnected } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { TestAnswer } from "../../shared/api/callbacks.ts";
import { useApi } from "../lib/services.tsx";
import { ErrorNotice } from "./error-notice.tsx";
import { Section } from "./section.tsx";
import { TestResult } from "./test-result.tsx";

interface TestSectionProps {
  /** Of the test of an account, in the API. */
  path: string;
  /** What the test does. */
  lead: string;
  /** Whether there are changes that the test would not know. */
  isDirty: boolean;
}

/** Tries an account as it is stored. */
export function TestSection({ path, lead, isDirty }: TestSectionProps) {
  const { t } = useTranslation("editing");
  const api = useApi();
  const test = useMutation({ mutationFn: () => api.post<TestAnswer>(path) });
  return (
    <Section title={t("test.action")} lead={lead}>
      <Button
        variant="default"
        leftSection={<IconPlugConnected size={16} aria-hidden />}
        disabled={isDirty}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        {t("test.action")}
      </Button>
      <div aria-live="polite" style={{ marginTop: "0.75rem" }}>
        {isDirty && t("test.unsaved")}
        {test.isPending && t("test.running")}
        {test.isError && <ErrorNotice error={test.error} />}
        {test.isSuccess && !isDirty && (
          <TestResult
            isOk={test.data.ok}
            message={test.data.message}
            {...(test.data.details !== undefined && { details: test.data.details })}
          />
        )}
      </div>
    </Section>
  );
}

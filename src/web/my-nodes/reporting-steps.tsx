import "@mantine/core/styles/Tabs.layer.css";
import { Stack, Tabs, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyField } from "../components/copy-field.tsx";
import { SecretOnce } from "../components/secret-once.tsx";
import { useSession } from "../lib/services.tsx";
import { agentCommand, curlCommand, systemdScript } from "./report-commands.ts";

interface ReportingStepsProps {
  nodeName: string;
  token: string;
}

/** The report token, once, with the commands that use it. */
export function ReportingSteps({ nodeName, token }: ReportingStepsProps) {
  const { t } = useTranslation("my-nodes");
  const email = useSession()?.email ?? "";
  const reporter = { origin: location.origin, email, nodeName, token };
  const ways = [
    { key: "agent", text: agentCommand(reporter) },
    { key: "systemd", text: systemdScript(reporter) },
    { key: "curl", text: curlCommand(reporter) },
  ] as const;
  return (
    <Stack>
      <SecretOnce label={t("report.token")} secret={token}>
        <Text size="sm">{t("report.tokenHint")}</Text>
      </SecretOnce>
      <Tabs defaultValue="agent" keepMounted={false}>
        <Tabs.List aria-label={t("report.ways")}>
          {ways.map(({ key }) => (
            <Tabs.Tab key={key} value={key}>
              {t(`report.${key}.title`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {ways.map(({ key, text }) => (
          <Tabs.Panel key={key} value={key} pt="md">
            <Text size="sm" mb="xs">
              {t(`report.${key}.what`)}
            </Text>
            <CopyField label={t(`report.${key}.label`)} text={text} isBlock />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}

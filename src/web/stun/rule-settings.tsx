import { useTranslation } from "react-i18next";
import type { Rule } from "../../shared/api/stun.ts";
import { KeyValue } from "../components/key-value.tsx";
import { Section } from "../components/section.tsx";

/** What the rule was told to do. */
export function RuleSettings({ rule }: { rule: Rule }) {
  const { t } = useTranslation("stun");
  const { t: editing } = useTranslation("editing");
  const say = (is: boolean): string => editing(is ? "state.on" : "state.off");
  const facts: (readonly [string, string])[] = [
    [t("field.transport"), rule.transport.toUpperCase()],
    [t("field.localAddress"), rule.local_address ?? t("anyAddress")],
    [t("field.localPort"), rule.local_port === 0 ? t("anyPort") : String(rule.local_port)],
    [t("field.interval"), t("seconds", { count: rule.probe_interval_seconds })],
    [t("field.settle"), t("seconds", { count: rule.settle_seconds })],
    [t("field.servers"), list(rule.stun_servers, t("serviceServers"))],
    ...(rule.transport === "tcp"
      ? [
          [t("field.keepalive"), list(rule.keepalive_hosts, t("serviceHosts"))] as const,
          [t("field.proxyProtocol"), say(rule.forward_to?.proxy_protocol === true)] as const,
        ]
      : []),
    [t("field.trigger"), say(rule.trigger_callbacks)],
    [t("field.instance"), rule.instance],
  ];
  return (
    <Section title={t("settings")}>
      <KeyValue facts={facts} />
    </Section>
  );
}

function list(entries: readonly string[], none: string): string {
  return entries.length === 0 ? none : entries.join(", ");
}

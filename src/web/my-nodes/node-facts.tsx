import { useTranslation } from "react-i18next";
import type { NodeDetails } from "../../shared/api/nodes.ts";
import { KeyValue } from "../components/key-value.tsx";
import { Section } from "../components/section.tsx";
import { useFormat } from "../lib/use-format.ts";
import { ExpiryNotice } from "./expiry-notice.tsx";

/** What the owner has set. */
export function NodeFacts({ node }: { node: NodeDetails }) {
  const { t } = useTranslation("my-nodes");
  const format = useFormat();
  const orUnlimited = (value: number, write: (value: number) => string): string =>
    value === 0 ? t("form.unlimited") : write(value);
  const bandwidth = (value: number): string =>
    value === 0 ? t("form.unknown") : format.bandwidth(value);
  return (
    <Section title={t("node.settings")}>
      <KeyValue
        facts={[
          [t("node.id"), node.id],
          [
            t("form.region"),
            [t(`regions.${node.region_type}`), node.region_detail].filter(Boolean).join(" · "),
          ],
          [t("form.maxBandwidth"), bandwidth(node.max_bandwidth)],
          [t("form.tierBandwidth"), bandwidth(node.tier_bandwidth)],
          [t("form.maxTraffic"), orUnlimited(node.max_traffic, (gb) => format.traffic(gb))],
          [t("form.resetCycle"), t("node.cycle", { count: node.reset_cycle })],
          [t("form.maxConnections"), orUnlimited(node.max_connections, (n) => format.count(n))],
          [t("form.tags"), node.tags || "–"],
          [t("form.validUntil"), <ExpiryNotice key="until" validUntil={node.valid_until} />],
          [t("form.allowRelay"), t(node.allow_relay ? "node.yes" : "node.no")],
          [t("node.created"), format.dateTime(node.created_at)],
        ]}
      />
    </Section>
  );
}

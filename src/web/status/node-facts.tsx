import { useTranslation } from "react-i18next";
import type { PublicNode } from "../../shared/api/public.ts";
import { KeyValue } from "../components/key-value.tsx";
import { LoadBar } from "../components/load-bar.tsx";
import { Section } from "../components/section.tsx";
import { useFormat } from "../lib/use-format.ts";
import classes from "./charts.module.css";
import { tagsOf } from "./node-filter.ts";

/** What a node is, and how busy. */
export function NodeFacts({ node }: { node: PublicNode }) {
  const { t } = useTranslation("status");
  const format = useFormat();
  const place = [t(`regions.${node.region_type}`), node.region_detail].filter(Boolean).join(" · ");
  return (
    <Section title={t("node.now")}>
      <div className={classes.charts}>
        <div className={classes.bars}>
          <LoadBar
            label={t("node.bandwidth")}
            used={node.current_bandwidth}
            limit={node.max_bandwidth}
            format={(value) => format.bandwidth(value)}
          />
          <LoadBar
            label={t("node.traffic")}
            used={node.used_traffic}
            limit={node.max_traffic}
            format={(value) => format.traffic(value)}
          />
          <LoadBar
            label={t("node.connections")}
            used={node.connection_count}
            limit={node.max_connections}
            format={(value) => format.count(value)}
          />
        </div>
        <KeyValue
          facts={[
            [t("node.region"), place],
            [t("node.tier"), node.tier_bandwidth > 0 ? format.bandwidth(node.tier_bandwidth) : "–"],
            [t("node.relay"), node.allow_relay === 1 ? t("node.relayYes") : t("node.relayNo")],
            [t("node.tags"), tagsOf(node).join(", ") || t("node.none")],
            [t("node.number"), String(node.id)],
          ]}
        />
      </div>
    </Section>
  );
}

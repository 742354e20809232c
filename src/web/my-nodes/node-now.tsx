import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { NodeDetails } from "../../shared/api/nodes.ts";
import { Section } from "../components/section.tsx";
import { useFormat } from "../lib/use-format.ts";
import classes from "./my-nodes.module.css";
import { BandwidthBar, bandwidthLimit, ConnectionsBar, QuotaBar } from "./node-bars.tsx";

/** How busy a node is, as it last reported. */
export function NodeNow({ node }: { node: NodeDetails }) {
  const { t } = useTranslation("my-nodes");
  const format = useFormat();
  const bandwidth = bandwidthLimit(node);
  const { max_connections: connections } = node;
  return (
    <Section title={t("node.now")}>
      <div className={classes.bars}>
        <Measure
          name={t("bandwidth")}
          hint={
            bandwidth > 0
              ? t("node.of", { limit: format.bandwidth(bandwidth) })
              : t("node.unknownLimit")
          }
        >
          <BandwidthBar node={node} />
        </Measure>
        <Measure
          name={t("connections")}
          hint={
            connections > 0 ? t("node.of", { limit: format.count(connections) }) : t("node.noLimit")
          }
        >
          <ConnectionsBar node={node} />
        </Measure>
        <Measure name={t("traffic")}>
          <QuotaBar node={node} />
        </Measure>
      </div>
    </Section>
  );
}

interface MeasureProps {
  name: string;
  hint?: string;
  children: ReactNode;
}

function Measure({ name, hint, children }: MeasureProps) {
  return (
    <div className={classes.measure}>
      <span className={classes.name}>{name}</span>
      {children}
      {hint !== undefined && <span className={classes.hint}>{hint}</span>}
    </div>
  );
}

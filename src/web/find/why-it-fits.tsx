import { useTranslation } from "react-i18next";
import { useFormat } from "../lib/use-format.ts";
import type { FoundNode } from "./found-nodes.tsx";
import classes from "./why-it-fits.module.css";

/** Why the service hands this node out, in words. */
export function WhyItFits({ node }: { node: FoundNode }) {
  const { t } = useTranslation("find");
  const format = useFormat();
  const place = [t(`wish.regions.${node.region_type}`), node.region_detail].filter(Boolean);
  const { tier_bandwidth: tier, max_traffic: quota, max_connections: seats } = node;
  const reasons = [
    tier > 0
      ? t("why.bandwidth", {
          share: format.share(node.current_bandwidth / tier),
          tier: format.bandwidth(tier),
        })
      : t("why.bandwidthUnknown", { used: format.bandwidth(node.current_bandwidth) }),
    quota > 0
      ? t("why.traffic", {
          left: format.traffic(Math.max(0, quota - node.used_traffic)),
          quota: format.traffic(quota),
        })
      : t("why.trafficUnlimited"),
    seats > 0
      ? t("why.connections", {
          used: format.count(node.connection_count),
          limit: format.count(seats),
        })
      : t("why.connectionsUnlimited", { used: format.count(node.connection_count) }),
    place.join(" · "),
    ...(node.allow_relay === 1 ? [t("why.relay")] : []),
    ...(node.tags === "" ? [] : [t("why.tags", { tags: node.tags })]),
  ];
  return (
    <ul className={classes.reasons}>
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}

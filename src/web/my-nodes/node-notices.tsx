import { Alert } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { NodeDetails } from "../../shared/api/nodes.ts";
import { useFormat } from "../lib/use-format.ts";
import { useNow } from "../lib/use-now.ts";
import classes from "./my-nodes.module.css";
import { endOfDay, judgeValidity } from "./validity.ts";

const RENEWED_MS = 60_000;

/** What an owner should know at once: the node is off, over, or soon will be. */
export function NodeNotices({ node }: { node: NodeDetails }) {
  const { t } = useTranslation("my-nodes");
  const format = useFormat();
  const now = useNow(RENEWED_MS);
  const { valid_until: until, max_traffic: limit, used_traffic: used } = node;
  const validity = judgeValidity(until, now);
  const date = until === null ? "" : format.date(until);
  const when = until === null ? "" : format.relative(endOfDay(until), now);
  return (
    <div className={classes.notices}>
      {!node.enabled && (
        <Alert color="yellow" title={t("notices.off")}>
          {t("notices.offHint")}
        </Alert>
      )}
      {validity === "past" && (
        <Alert color="red" title={t("notices.expired", { date })}>
          {t("notices.expiredHint")}
        </Alert>
      )}
      {validity === "soon" && (
        <Alert color="yellow" title={t("notices.expiresSoon", { date, when })}>
          {t("notices.expiresSoonHint")}
        </Alert>
      )}
      {limit > 0 && used >= limit && (
        <Alert color="red" title={t("notices.quotaUsed")}>
          {t("notices.quotaUsedHint", { when: format.relative(node.reset_date, now) })}
        </Alert>
      )}
    </div>
  );
}

import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { QueryAnswer } from "../../shared/api/query.ts";
import { toPeerUrl } from "../../shared/peer-url.ts";
import { CopyField } from "../components/copy-field.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { useFormat } from "../lib/use-format.ts";
import classes from "./found-nodes.module.css";
import { WhyItFits } from "./why-it-fits.tsx";

export type FoundNode = QueryAnswer["nodes"][number];

interface FoundNodesProps {
  /** The best draw first. */
  nodes: readonly FoundNode[];
  /** The one that was asked for stands first; "" = any. */
  transport: string;
  isPending: boolean;
  /** Somebody wants another node in place of this one. */
  onRefuse: (id: number) => void;
}

/** The answer: each node with the reasons for it and its addresses. */
export function FoundNodes({ nodes, transport, isPending, onRefuse }: FoundNodesProps) {
  const { t } = useTranslation("find");
  const format = useFormat();
  return (
    <>
      <h2 className={classes.title}>
        {t("found.title", { count: nodes.length, number: format.count(nodes.length) })}
      </h2>
      <ol className={classes.list}>
        {nodes.map((node, place) => (
          <li key={node.id} className={classes.node} data-first={place === 0 || undefined}>
            <div className={classes.head}>
              <h3 className={classes.name}>
                <Link href={pageAddress("node", node.id)}>{node.node_name}</Link>
                {place === 0 && <span className={classes.best}>{t("found.best")}</span>}
              </h3>
              <Button
                size="compact-sm"
                variant="subtle"
                disabled={isPending}
                onClick={() => onRefuse(node.id)}
                aria-label={t("found.refuseOf", { name: node.node_name })}
              >
                {t("found.refuse")}
              </Button>
            </div>
            <WhyItFits node={node} />
            <div className={classes.addresses}>
              {sorted(node, transport).map((url) => (
                <CopyField key={url} label={t("found.address", { url })} text={url} />
              ))}
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

/** The node's peer URLs, those of the wanted transport first. */
function sorted({ connections }: FoundNode, transport: string): string[] {
  const wanted = connections.filter(({ type }) => type === transport);
  const others = connections.filter(({ type }) => type !== transport);
  return [...new Set([...wanted, ...others].map(toPeerUrl))];
}

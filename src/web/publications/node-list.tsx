import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { PublicationType, PublishedNode } from "../../shared/api/publications.ts";
import { pageAddress } from "../lib/page-address.ts";
import classes from "./publications.module.css";

interface NodeListProps {
  nodes: readonly PublishedNode[];
  /** Only SRV carries weights. */
  type: PublicationType;
}

/** Who is on a list, and where it is reached. */
export function NodeList({ nodes, type }: NodeListProps) {
  const { t } = useTranslation("publications");
  return (
    <ul className={classes.nodes} aria-label={t("nodes")}>
      {nodes.map(({ id, node_name: name, url, weight }) => (
        <li key={id}>
          {name === null ? (
            <span>{t("nodeGone", { id })}</span>
          ) : (
            <Link href={pageAddress("node", id)}>{name}</Link>
          )}
          <code className={classes.url}>{url}</code>
          {type === "SRV" && <span className={classes.weight}>{t("weight", { weight })}</span>}
        </li>
      ))}
    </ul>
  );
}

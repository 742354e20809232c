import { Button, Group } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { PublicSearchAnswer } from "../../shared/api/public.ts";
import { useFormat } from "../lib/use-format.ts";
import classes from "./node-list.module.css";
import { NODES_PER_PAGE } from "./queries.ts";

interface ListSummaryProps {
  list: PublicSearchAnswer;
  /** Counted from 1. */
  page: number;
}

/** How many nodes there are, how many fit, and which of those are shown; another page begins here. */
export function ListSummary({ list: { nodes, found, total }, page }: ListSummaryProps) {
  const { t } = useTranslation("status");
  const format = useFormat();
  const here = useRef<HTMLParagraphElement>(null);
  const shownPage = useRef(page);
  useEffect(() => {
    if (shownPage.current !== page) here.current?.scrollIntoView();
    shownPage.current = page;
  }, [page]);
  const number = format.count(found);
  const from = (page - 1) * NODES_PER_PAGE + 1;
  return (
    <p ref={here} className={classes.count} role="status">
      {found === total
        ? t("nodes.count", { count: found, number })
        : t("nodes.fit", { number, total: format.count(total) })}
      {nodes.length > 0 &&
        nodes.length < found &&
        ` · ${t("nodes.shown", { from: format.count(from), to: format.count(from + nodes.length - 1) })}`}
    </p>
  );
}

interface ListPagingProps {
  /** Both counted from 1. */
  page: number;
  lastPage: number;
  toAddress: (page: number) => string;
}

/** The ways to the other pages; nothing where there is only one. */
export function ListPaging({ page, lastPage, toAddress }: ListPagingProps) {
  const { t } = useTranslation("status");
  const format = useFormat();
  if (lastPage === 1) return null;
  const way = (to: number, word: string) => (
    <Button component={Link} href={toAddress(to)} variant="default">
      {word}
    </Button>
  );
  return (
    <Group mt="md" component="nav" aria-label={t("paging.title")}>
      {page > 1 && way(page - 1, t("paging.previous"))}
      <span className={classes.page}>
        {t("paging.page", { page: format.count(page), last: format.count(lastPage) })}
      </span>
      {page < lastPage && way(page + 1, t("paging.next"))}
    </Group>
  );
}

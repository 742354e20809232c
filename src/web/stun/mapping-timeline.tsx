import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { MappingChange } from "../../shared/api/stun.ts";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Section } from "../components/section.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { useFormat } from "../lib/use-format.ts";
import { useChanges } from "./queries.ts";
import classes from "./mapping-timeline.module.css";

/** What the public address was, and who confirmed each change. */
export function MappingTimeline({ id }: { id: number }) {
  const { t } = useTranslation("stun");
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useChanges(id);
  const changes = data?.pages.flat() ?? [];
  return (
    <Section title={t("timeline.title")} lead={t("timeline.lead")}>
      {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <CardSkeleton height={160} />}
      {data && changes.length === 0 && <p className={classes.none}>{t("timeline.none")}</p>}
      {changes.length > 0 && (
        <ol className={classes.timeline}>
          {changes.map((change) => (
            <Step key={change.id} change={change} />
          ))}
        </ol>
      )}
      {hasNextPage && (
        <Button
          variant="default"
          size="xs"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t("timeline.older")}
        </Button>
      )}
    </Section>
  );
}

function Step({ change }: { change: MappingChange }) {
  const { t } = useTranslation("stun");
  const format = useFormat();
  const { changed, previous_ip: ip, previous_port: port, confirmed_by: servers, at } = change;
  const isBaseline = changed.length === 0;
  const kind = isBaseline ? "baseline" : changed.length === 2 ? "both" : (changed[0] ?? "both");
  return (
    <li className={classes.step} data-baseline={isBaseline || undefined}>
      <div className={classes.head}>
        <strong>{t(`timeline.${kind}`)}</strong>
        <span className={classes.when}>
          {format.dateTime(at)} · <TimeAgo at={at} />
        </span>
      </div>
      <div className={classes.mappings}>
        {ip !== null && port !== null && (
          <>
            <span className={classes.word}>{t("timeline.from")}</span>
            <Mapping ip={ip} port={port} />
            <span aria-hidden>→</span>
            <span className={classes.word}>{t("timeline.to")}</span>
          </>
        )}
        <Mapping ip={change.public_ip} port={change.public_port} changed={changed} />
      </div>
      {servers.length > 0 && (
        <div className={classes.by}>{t("timeline.by", { servers: servers.join(", ") })}</div>
      )}
      {isBaseline && <div className={classes.by}>{t("timeline.baselineWhat")}</div>}
    </li>
  );
}

const nothing: readonly never[] = [];

interface MappingProps {
  ip: string;
  port: number;
  changed?: readonly ("ip" | "port")[];
}

function Mapping({ ip, port, changed = nothing }: MappingProps) {
  return (
    <code>
      <span data-changed={changed.includes("ip") || undefined}>
        {ip.includes(":") ? `[${ip}]` : ip}
      </span>
      :<span data-changed={changed.includes("port") || undefined}>{port}</span>
    </code>
  );
}

import {
  publicationLimits,
  type NewPublication,
  type Publication,
  type PublicationChange,
  type PublicationType,
} from "../../shared/api/publications.ts";
import type { QueryRegion } from "../../shared/api/query.ts";
import { changesOf } from "../lib/changes.ts";
import { onlyWrong, type FieldChecks } from "../lib/field-checks.ts";

/** What stands in the form; choices are "" while nothing is chosen, numbers while a field is empty. */
export interface PublicationValues {
  domain_account_id: string;
  name: string;
  type: PublicationType;
  node_count: number | "";
  region: QueryRegion;
  priority: string;
  transport: string;
  tag: string;
  relay_only: boolean;
  interval_seconds: number | "";
  ttl_seconds: number | "";
  enabled: boolean;
}

export const emptyPublication: PublicationValues = {
  domain_account_id: "",
  name: "",
  type: "TXT",
  node_count: publicationLimits.nodesUnasked,
  region: "all",
  priority: "",
  transport: "",
  tag: "",
  relay_only: false,
  interval_seconds: publicationLimits.intervalSeconds,
  ttl_seconds: publicationLimits.ttlSeconds,
  enabled: true,
};

export function toPublicationValues(publication: Publication): PublicationValues {
  const { name, type, node_count, region, relay_only, enabled } = publication;
  return {
    domain_account_id: String(publication.domain_account_id),
    name,
    type,
    node_count,
    region,
    priority: publication.priority ?? "",
    transport: publication.transport ?? "",
    tag: publication.tag ?? "",
    relay_only,
    interval_seconds: publication.interval_seconds,
    ttl_seconds: publication.ttl_seconds,
    enabled,
  };
}

/** What the service is told. */
export function toPublicationBody(values: PublicationValues): NewPublication {
  const { type, region, relay_only, enabled } = values;
  const tag = values.tag.trim();
  return {
    domain_account_id: Number(values.domain_account_id),
    name: values.name.trim(),
    type,
    node_count: Number(values.node_count),
    region,
    priority: (values.priority || null) as NonNullable<NewPublication["priority"]> | null,
    transport: (values.transport || null) as NonNullable<NewPublication["transport"]> | null,
    tag: tag === "" ? null : tag,
    relay_only,
    interval_seconds: Number(values.interval_seconds),
    ttl_seconds: Number(values.ttl_seconds),
    enabled,
  };
}

/** What differs. */
export function toPublicationChange(
  before: PublicationValues,
  after: PublicationValues,
): PublicationChange {
  return changesOf(toPublicationBody(before), toPublicationBody(after));
}

/** At least two labels; the service looks closely. */
const NAME = /^[^\s.*]+(?:\.[^\s.*]+)+\.?$/;

/** What is wrong, by path. */
export function judgePublication(
  values: PublicationValues,
  checks: FieldChecks,
  noName: string,
): Record<string, string> {
  const limits = publicationLimits;
  const { name } = values;
  return onlyWrong({
    domain_account_id: checks.required(values.domain_account_id),
    name:
      checks.required(name) ??
      (NAME.test(name.trim()) ? checks.atMost(name, limits.recordNameLength) : noName),
    node_count: checks.wholeNumber(values.node_count, 1, limits.nodes),
    interval_seconds: checks.wholeNumber(
      values.interval_seconds,
      limits.leastIntervalSeconds,
      limits.mostIntervalSeconds,
    ),
    ttl_seconds: checks.wholeNumber(values.ttl_seconds, 1, limits.mostTtlSeconds),
  });
}

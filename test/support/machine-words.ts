/** Texts in the service's sources that look like sentences and are read by machines or logs alone. */
export const machineWords: ReadonlySet<string> = new Set([
  // SQL
  "is not",
  "not in",
  // The names of work, in logs and metrics.
  "a try of a callback run has ended",
  "background checks",
  "callback runs",
  "given back",
  "old checks",
  "old probes",
  "old runs",
  "password hasher",
  "results of checks",
  "rules of other instances",
  "sessions of readers",
  "the storage is not available",
  // Of a metric.
  "Lists of nodes as DNS records whose last try failed.",
  // Places in a template.
  "bare json",
  "json string",
  '"{}":{{ {} | json }}',
  // Sent to other services and to nodes.
  "Basic {}",
  "Bearer {}",
  "Token {}",
  "Waypost/1.0 (self-hosted)",
  '{"message":"Report accepted","used_traffic":{},"max_traffic":{},"reset_date":"{}"}',
  "Unexpected end",
  // Alike in every language.
  "Duck DNS",
  "{} KiB",
  "{} SOA",
  // In the audit log, as who did it.
  "callback of {}",
  // Defects.
  "The keep-alive runs",
  "The keep-alive was closed",
  "{} is not listed",
]);

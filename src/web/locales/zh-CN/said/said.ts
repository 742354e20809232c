/**
 * What the service says, in Chinese, by its English. `{name}` is a value and goes over as it is;
 * `{name@group}` is said itself, by the entries of that group, and stays as it is where they do not
 * know it; with `{name@group!}` the entry holds only where they do.
 */
export type Sayings = Readonly<Record<string, string>>;

/** `clause` also finds sentences. */
export const groups = ["sentence", "clause", "deed", "schema", "list", "ports"] as const;
export type Group = (typeof groups)[number];

export type Said = Readonly<Partial<Record<Group, Sayings>>>;

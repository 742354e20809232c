interface Rule {
  what: string;
  /** Matched against each line. */
  pattern: RegExp;
  applies: (path: string) => boolean;
}

const isSource = (path: string) => /\.[cm]?[jt]sx?$/.test(path);
const anywhere = () => true;
/** Network namespaces need root; where there is none it says so, and in CI it fails. */
const MAY_LEAVE_OUT = ["test/support/laboratory.ts", "test/support/official-metadata.ts"];

// The patterns are written so that they do not match themselves.
const rules: readonly Rule[] = [
  {
    what: "names a folder of one machine",
    pattern: /(?<![\w.~*])(?:\/(?:work|root|home|tmp|Users)\/|[A-Z]:\\)/,
    applies: anywhere,
  },
  {
    what: "names a package registry or where a package came from",
    pattern: /\b(?:registry|npm|mirror)s?\.[\w-]+\.\w+|"resolve[d]":|\bnpmmirror\b/,
    applies: anywhere,
  },
  {
    what: "leaves a test out",
    pattern: /\b(?:it|test|describe|suite)\.(?:skip|only|todo|skipIf|runIf|fails)\b/,
    applies: (path) => isSource(path) && !MAY_LEAVE_OUT.includes(path),
  },
  {
    what: "leaves work for later",
    pattern: /\b(?:TO[D]O|FIX[M]E|XX[X]|HAC[K])\b/,
    applies: isSource,
  },
  {
    what: "silences the compiler",
    pattern: /@ts-(?:ignore|nocheck)\b/,
    applies: isSource,
  },
];

const VAGUE_NAME = /(?:^|[/-])(?:utils?|helpers?|managers?|misc|base|stuff|common)\.[jt]sx?$/;
/** The wire contract's own vocabulary. */
const VAGUE_BUT_MEANT = ["src/shared/api/common.ts"];

/** What is wrong with a file, one line each: `path:line what`. Paths have `/`. */
export function findProblems(path: string, content: string): string[] {
  const problems: string[] = [];
  if (VAGUE_NAME.test(path) && !VAGUE_BUT_MEANT.includes(path)) {
    problems.push(`${path}:1 has a name that says nothing`);
  }
  const relevant = rules.filter((rule) => rule.applies(path));
  for (const [index, line] of content.split("\n").entries()) {
    for (const rule of relevant) {
      if (rule.pattern.test(line)) problems.push(`${path}:${index + 1} ${rule.what}`);
    }
  }
  return problems;
}

import { parseArgs } from "node:util";

/** One setting: `--name`, or `WAYPOST_…` in the environment. */
export interface Option {
  flag: string;
  variable: string;
  fallback: string;
  /** What stands for the value in the help. */
  value: string;
  about: string;
}

export const options = {
  url: {
    flag: "url",
    variable: "WAYPOST_URL",
    fallback: "",
    value: "URL",
    about: "address of the service",
  },
  email: {
    flag: "email",
    variable: "WAYPOST_EMAIL",
    fallback: "",
    value: "ADDRESS",
    about: "e-mail of the node's owner",
  },
  node: {
    flag: "node",
    variable: "WAYPOST_NODE",
    fallback: "",
    value: "NAME",
    about: "name of the node",
  },
  tokenFile: {
    flag: "token-file",
    variable: "WAYPOST_REPORT_TOKEN_FILE",
    fallback: "",
    value: "FILE",
    about: "holds the report token; or set WAYPOST_REPORT_TOKEN",
  },
  source: {
    flag: "source",
    variable: "WAYPOST_SOURCE",
    fallback: "auto",
    value: "WORD",
    about: "overlay, interface, or auto: the overlay where its program is",
  },
  interface: {
    flag: "interface",
    variable: "WAYPOST_INTERFACE",
    fallback: "",
    value: "NAME",
    about: "whose bytes count; that of the default route if not given",
  },
  ports: {
    flag: "ports",
    variable: "WAYPOST_PORTS",
    fallback: "11010,11011,11012",
    value: "LIST",
    about: "whose TCP connections count, with the source interface",
  },
  traffic: {
    flag: "traffic",
    variable: "WAYPOST_TRAFFIC",
    fallback: "both",
    value: "WORD",
    about: "which direction counts as traffic: both, in or out",
  },
  interval: {
    flag: "interval",
    variable: "WAYPOST_INTERVAL_SECONDS",
    fallback: "60",
    value: "SECONDS",
    about: "between two reports, 1-86400",
  },
  stateDir: {
    flag: "state-dir",
    variable: "WAYPOST_STATE_DIR",
    fallback: "",
    value: "FOLDER",
    about: "where the journal is kept",
  },
  overlayCli: {
    flag: "overlay-cli",
    variable: "WAYPOST_OVERLAY_CLI",
    fallback: "easytier-cli",
    value: "PROGRAM",
    about: "the overlay's command line program",
  },
  overlayPortal: {
    flag: "overlay-portal",
    variable: "WAYPOST_OVERLAY_PORTAL",
    fallback: "127.0.0.1:15888",
    value: "HOST:PORT",
    about: "where the overlay takes its questions",
  },
  counterBits: {
    flag: "counter-bits",
    variable: "WAYPOST_COUNTER_BITS",
    fallback: "auto",
    value: "WORD",
    about: "at which the kernel's counters wrap: 32, 64 or auto",
  },
  proc: {
    flag: "proc",
    variable: "WAYPOST_PROC",
    fallback: "/proc",
    value: "FOLDER",
    about: "where /proc of the node is seen",
  },
  sys: {
    flag: "sys",
    variable: "WAYPOST_SYS",
    fallback: "/sys",
    value: "FOLDER",
    about: "where /sys of the node is seen",
  },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof options;

/** What is done instead of reporting until the end. */
export const modes = ["once", "print", "check"] as const;
export type Mode = (typeof modes)[number] | "run";

/** A setting that cannot be used. The message is one line that names it. */
export class SettingError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

export interface Given {
  mode: Mode;
  /** Trimmed; the fallback when nothing is given. */
  valueOf: (name: OptionName) => string;
}

/** Flags before variables. @throws SettingError; what `parseArgs` throws */
export function readOptions(parameters: readonly string[], environment: Environment): Given {
  const list = Object.values(options);
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      ...Object.fromEntries(list.map(({ flag }) => [flag, { type: "string" as const }])),
      ...Object.fromEntries(modes.map((mode) => [mode, { type: "boolean" as const }])),
    },
  });
  const chosen = modes.filter((mode) => values[mode] === true);
  const [mode = "run", other] = chosen;
  if (other) throw new SettingError(`--${mode} and --${other} cannot be given together`);
  return {
    mode,
    valueOf: (name) => {
      const { flag, variable, fallback } = options[name];
      const given = values[flag] ?? environment[variable];
      const value = typeof given === "string" ? given.trim() : "";
      return value === "" ? fallback : value;
    },
  };
}

import program from "../../package.json" with { type: "json" };

/** Of this program, as it was released. */
export const VERSION: string = program.version;

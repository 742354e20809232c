import { dirname, join } from "node:path";
import { objectionToFile, objectionToPackage } from "./directions.ts";

/** The parts of the linter's plug-in interface that are used here. */
interface Context {
  filename: string;
  report(problem: { node: Node; message: string }): void;
}
interface Node {
  source?: Node | null;
  value?: unknown;
  callee?: { name?: string };
  arguments?: Node[];
}

/** Holds every import of `src` to the table in directions.ts. */
const directions = {
  create(context: Context) {
    const check = (literal: Node | null | undefined) => {
      if (typeof literal?.value !== "string") return;
      const message = objectionTo(context.filename, literal.value);
      if (message) context.report({ node: literal, message });
    };
    const checkSource = (node: Node) => check(node.source);
    return {
      ImportDeclaration: checkSource,
      ExportNamedDeclaration: checkSource,
      ExportAllDeclaration: checkSource,
      ImportExpression: checkSource,
      // A worker is named by `new URL("./worker.ts", import.meta.url)`.
      NewExpression: (node: Node) => {
        if (node.callee?.name === "URL" && node.arguments?.length === 2) check(node.arguments[0]);
      },
    };
  },
};

function objectionTo(filename: string, specifier: string): string | undefined {
  const path = filename.replaceAll("\\", "/");
  const start = path.lastIndexOf("/src/") + 1;
  const from = path.slice(start);
  if (!specifier.startsWith(".")) return objectionToPackage(from, specifier);
  const target = join(dirname(path), specifier).replaceAll("\\", "/");
  return objectionToFile(
    from,
    target.startsWith(path.slice(0, start)) ? target.slice(start) : target,
  );
}

export default { meta: { name: "house" }, rules: { directions } };

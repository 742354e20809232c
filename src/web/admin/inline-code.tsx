import { Fragment } from "react";

/** Text in which words between backticks are code. */
export function InlineCode({ text }: { text: string }) {
  const parts = text.matchAll(/`([^`]*)`|[^`]+/g);
  return Array.from(parts, ({ 0: whole, 1: code, index }) =>
    code === undefined ? <Fragment key={index}>{whole}</Fragment> : <code key={index}>{code}</code>,
  );
}

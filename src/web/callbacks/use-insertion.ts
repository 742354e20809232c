import { useRef, type FocusEvent } from "react";
import type { AccountFormState } from "./account-form.tsx";

/** The place in a text. */
interface Caret {
  path: string;
  start: number;
  end: number;
}

/**
 * Writes texts where one was typing last.
 * @param paths of the fields that take part, the first one for who has not typed yet
 */
export function useInsertion(form: AccountFormState, paths: readonly string[]) {
  const caret = useRef<Caret | undefined>(undefined);
  const noteCaret = ({ target }: FocusEvent<HTMLElement>): void => {
    const path = target.dataset["path"];
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    if (path === undefined || !paths.includes(path)) return;
    const end = target.value.length;
    caret.current = {
      path,
      start: target.selectionStart ?? end,
      end: target.selectionEnd ?? end,
    };
  };
  const insert = (text: string): void => {
    const first = paths[0] ?? "";
    const end = textOf(form, first).length;
    const { path, ...at } = caret.current ?? { path: first, start: end, end };
    const before = textOf(form, path);
    form.setFieldValue(path, before.slice(0, at.start) + text + before.slice(at.end));
    const after = at.start + text.length;
    caret.current = { path, start: after, end: after };
    requestAnimationFrame(() => {
      const node = form.getInputNode(path) as HTMLTextAreaElement | null;
      node?.focus();
      node?.setSelectionRange(after, after);
    });
  };
  return { noteCaret, insert };
}

function textOf(form: AccountFormState, path: string): string {
  const value = form.values.config[path.replace("config.", "")];
  return typeof value === "string" ? value : "";
}

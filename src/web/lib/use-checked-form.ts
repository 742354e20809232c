import { useForm, type UseFormReturnType } from "@mantine/form";
import { useEffect } from "react";
import { afterPress } from "./after-press.ts";

interface CheckedForm<Values> {
  initialValues: Values;
  /** What is wrong, in words, by path: `connections.0.port`. */
  check: (values: Values) => Record<string, string>;
}

/**
 * A form that judges a field when it is left, unless nothing has been typed yet, and while one types in
 * it once something was wrong. What the service said about a field goes with the next key, too.
 */
export function useCheckedForm<Values extends object>({
  initialValues,
  check,
}: CheckedForm<Values>): UseFormReturnType<Values> {
  const form = useForm<Values>({
    initialValues,
    validate: check,
    clearInputErrorOnChange: false,
    enhanceGetInputProps: ({ form: current, field }) => ({
      onBlur: () =>
        afterPress(() => {
          if (current.isDirty()) current.validateField(field);
        }),
    }),
  });
  const { values, errors, setErrors } = form;
  useEffect(() => {
    const shown = Object.keys(errors);
    if (shown.length === 0) return;
    const wrong = check(values);
    setErrors(
      Object.fromEntries(shown.flatMap((path) => (wrong[path] ? [[path, wrong[path]]] : []))),
    );
    // Only what is typed changes the judgement.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [values]);
  return form;
}

export interface FocusableForm {
  getInputNode(path: string): HTMLElement | null;
}

/** Puts the focus to the first field that is wrong; the second parameter of `form.onSubmit`. */
export function focusFirstError(form: FocusableForm): (errors: Record<string, unknown>) => void {
  return (errors) => {
    const nodes = Object.keys(errors)
      .map((path) => form.getInputNode(path))
      .filter((node) => node !== null)
      .toSorted((a, b) =>
        a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
      );
    nodes[0]?.focus();
  };
}

import { useForm, type UseFormReturnType } from "@mantine/form";
import { useState, type FocusEvent } from "react";

export interface CheckedForm<Values> {
  form: UseFormReturnType<Values>;
  /** `onBlur` of the form. */
  noteBlur: (event: FocusEvent<HTMLFormElement>) => void;
}

/**
 * A form whose fields are checked when they are left, and with each change from then on.
 * @param check what is wrong, by path; nothing when all is well
 */
export function useCheckedForm<Values extends Record<string, unknown>>(
  initialValues: Values,
  check: (values: Values) => Record<string, string>,
): CheckedForm<Values> {
  const [left, setLeft] = useState<readonly string[]>([]);
  const form = useForm<Values>({
    initialValues,
    validate: (values) => check(values),
    validateInputOnBlur: true,
    validateInputOnChange: [...left] as never,
  });
  const noteBlur = ({ target }: FocusEvent<HTMLFormElement>): void => {
    const path = target.dataset["path"];
    if (path !== undefined && !left.includes(path)) setLeft([...left, path]);
  };
  return { form, noteBlur };
}

import type { UseFormReturnType } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { useLocation } from "wouter";
import { showFieldErrors } from "./form-errors.ts";
import { focusFirstError } from "./use-checked-form.ts";

interface SavingOptions<Values, Answer> {
  form: UseFormReturnType<Values>;
  /** Paths of fields that stand in the form: `config`, `records.0.name`. */
  paths: readonly string[];
  send: (values: Values) => Promise<Answer>;
  /** First word of the queries that are stale then. */
  stale: string;
  /** @returns where to go then */
  onSaved: (answer: Answer) => string;
}

interface Saving {
  save: (event?: SubmitEvent<HTMLFormElement>) => void;
  /** From the click until the page is left, or the service has refused. */
  isSaving: boolean;
  /** What is to be said above the form. */
  refusal: unknown;
}

/** Sends a form, puts refusals beside its fields, and leaves the page when it is done. */
export function useSaving<Values, Answer>(options: SavingOptions<Values, Answer>): Saving {
  const { form, paths, send, stale, onSaved } = options;
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isSaving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<unknown>();

  const sendNow = async (values: Values): Promise<void> => {
    setSaving(true);
    setRefusal(undefined);
    try {
      const answer = await send(values);
      await client.invalidateQueries({ queryKey: [stale] });
      navigate(onSaved(answer));
    } catch (error) {
      setRefusal(showFieldErrors(form, error, paths));
      setSaving(false);
    }
  };
  const save = form.onSubmit((values) => void sendNow(values), focusFirstError(form));
  return { save, isSaving, refusal };
}

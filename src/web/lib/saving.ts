import type { UseFormReturnType } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, type FormEvent } from "react";
import { useLocation } from "wouter";
import { showFieldErrors } from "./form-errors.ts";

interface SavingOptions<Values, Answer> {
  form: UseFormReturnType<Values>;
  /** Paths of fields that stand in the form: `config`, `records.0.name`. */
  paths: readonly string[];
  send: (values: Values) => Promise<Answer>;
  /** First word of the queries that are stale then. */
  stale: string;
  /** Called before the page is left. @returns where to go; undefined: stay */
  onSaved: (answer: Answer) => string | undefined;
}

interface Saving {
  save: (event: FormEvent<HTMLFormElement>) => void;
  isPending: boolean;
  /** Whether there is nothing to lose any more. */
  isSaved: boolean;
  /** What is to be said above the form. */
  refusal: unknown;
}

/** Sends a form, puts refusals beside its fields, and leaves the page when it is done. */
export function useSaving<Values, Answer>(options: SavingOptions<Values, Answer>): Saving {
  const { form, paths, send, stale, onSaved } = options;
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isPending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<unknown>();
  const [target, setTarget] = useState<string>();
  useEffect(() => {
    if (target !== undefined) navigate(target);
  }, [target, navigate]);

  const sendNow = async (values: Values): Promise<void> => {
    setPending(true);
    setRefusal(undefined);
    try {
      const answer = await send(values);
      await client.invalidateQueries({ queryKey: [stale] });
      setTarget(onSaved(answer));
    } catch (error) {
      setRefusal(showFieldErrors(form, error, paths));
      focusFirst();
    } finally {
      setPending(false);
    }
  };
  const save = form.onSubmit((values) => void sendNow(values as Values), focusFirst);
  return { save, isPending, isSaved: target !== undefined, refusal };
}

/** Leads to the first field that is wrong, once the page shows it. */
function focusFirst(): void {
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLElement>("form [aria-invalid=true]");
    field?.closest("details")?.setAttribute("open", "");
    field?.focus();
  });
}

import { useEffect, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Said } from "./service-words.ts";
import { useServices } from "./services.tsx";

/** Says sentences of the service in the language of the page. */
export function useServiceWords(): (sentence: string) => Said {
  const { said } = useServices();
  // Another language is a reason to render again.
  useTranslation();
  useSyncExternalStore(said.subscribe, said.version);
  useEffect(() => void said.prepare());
  return (sentence) => said.say(sentence);
}

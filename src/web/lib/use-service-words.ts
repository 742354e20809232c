import { useEffect, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Said } from "./service-words.ts";
import { useServices } from "./services.tsx";

/** Says sentences of the service in the language of the page. */
export function useServiceWords(): (sentence: string) => Said {
  const { said } = useServices();
  const { i18n } = useTranslation();
  useSyncExternalStore(said.subscribe, said.version);
  useEffect(() => void said.prepare(), [said, i18n.language]);
  return (sentence) => said.say(sentence);
}

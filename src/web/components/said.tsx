import { useServiceWords } from "../lib/use-service-words.ts";

/** A sentence of the service, in the language of the page as far as there are words for it. */
export function Said({ sentence }: { sentence: string }) {
  const { text, language } = useServiceWords()(sentence);
  return <span lang={language}>{text}</span>;
}

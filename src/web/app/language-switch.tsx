import { Button } from "@mantine/core";
import { useTransition } from "react";
import { useTranslation } from "react-i18next";
import { chooseLanguage, type Language } from "../lib/i18n.ts";

/** Each language by its own name, so that whoever reads it finds it. */
const names: Readonly<Record<Language, string>> = { en: "English", "zh-CN": "中文" };

/** Offers the language that the page is not in. */
export function LanguageSwitch() {
  const { i18n } = useTranslation();
  const [isPending, startTransition] = useTransition();
  const other: Language = i18n.language === "en" ? "zh-CN" : "en";
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      lang={other}
      disabled={isPending}
      onClick={() => startTransition(() => chooseLanguage(i18n, other))}
    >
      {names[other]}
    </Button>
  );
}

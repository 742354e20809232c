import { ActionIcon, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

const SHOWN_MS = 2_000;

/** Copies a text, and says so. @param what is copied: "the address" */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const { t } = useTranslation();
  const [outcome, setOutcome] = useState<"copied" | "failed">();
  useEffect(() => {
    if (!outcome) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async (): Promise<void> => {
    try {
      await copyText(text);
      setOutcome("copied");
    } catch {
      setOutcome("failed");
    }
  };
  const label = outcome ? t(outcome) : t("copy", { what });
  return (
    <ActionIcon
      variant="subtle"
      color={outcome === "failed" ? "red" : "gray"}
      onClick={() => void copy()}
      aria-label={label}
      title={label}
    >
      {outcome === "copied" ? (
        <IconCheck size={17} aria-hidden />
      ) : (
        <IconCopy size={17} stroke={1.7} aria-hidden />
      )}
      <VisuallyHidden role="status">{outcome && t(outcome)}</VisuallyHidden>
    </ActionIcon>
  );
}

/** @throws Error when the browser does not allow it */
async function copyText(text: string): Promise<void> {
  // Browsers offer their clipboard to pages that came by HTTPS or from this machine. To others, as a
  // service at home is mostly visited, they leave the old way, which copies what is selected.
  if (isSecureContext) return navigator.clipboard.writeText(text);
  const instead = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
  };
  document.addEventListener("copy", instead);
  // oxlint-disable-next-line typescript/no-deprecated -- there is no other way
  const isCopied = document.execCommand("copy");
  document.removeEventListener("copy", instead);
  if (!isCopied) throw new Error("The browser did not allow copying");
}

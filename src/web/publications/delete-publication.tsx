import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { Publication } from "../../shared/api/publications.ts";
import { useNotify } from "../app/notices.tsx";
import { DeleteButton } from "../components/delete-button.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { publicationsPath } from "./queries.ts";

/** Withdraws and deletes; where the provider does not let go of the records, deletes without that. */
export function DeletePublication({ publication }: { publication: Publication }) {
  const { t } = useTranslation("publications");
  const notify = useNotify();
  const [, navigate] = useLocation();
  const { id, name, state } = publication;
  const isStuck = state.failures > 0;
  const removed = (answer: unknown): void => {
    const isWaiting = typeof answer === "object" && answer !== null && "publication" in answer;
    navigate(pageAddress("publications"));
    notify({ message: t(isWaiting ? "delete.waits" : "delete.done", { name }) });
  };
  return (
    <>
      {state.status !== "deleting" && (
        <DeleteButton
          label={t("delete.action")}
          path={`${publicationsPath}/${id}`}
          onRemoved={removed}
        >
          {t("delete.what")}
        </DeleteButton>
      )}
      {state.status === "deleting" && isStuck && (
        <DeleteButton
          label={t("delete.keep")}
          path={`${publicationsPath}/${id}?keep_records=true`}
          onRemoved={removed}
        >
          {t("delete.keepWhat")}
        </DeleteButton>
      )}
    </>
  );
}

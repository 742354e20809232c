import { Button } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Static } from "typebox";
import { useTranslation } from "react-i18next";
import type { Publication, PublicationChanged } from "../../shared/api/publications.ts";
import { useNotify } from "../app/notices.tsx";
import { useErrorWords } from "../lib/error-words.ts";
import { useApi } from "../lib/services.tsx";
import { publicationsPath } from "./queries.ts";

/** Looks at nodes and records at once; the state below says how that went. */
export function PublishNow({ publication: { id, name } }: { publication: Publication }) {
  const { t } = useTranslation("publications");
  const api = useApi();
  const client = useQueryClient();
  const notify = useNotify();
  const toWords = useErrorWords();
  const publish = useMutation({
    mutationFn: () =>
      api.post<Static<typeof PublicationChanged>>(`${publicationsPath}/${id}/publish`),
    onSuccess: async ({ publication: { state } }) => {
      await client.invalidateQueries({ queryKey: ["publications"] });
      if (state.error === null) notify({ message: t("publish.done", { name }) });
      else notify({ message: t("publish.failed", { name }), kind: "bad" });
    },
    onError: (error) => notify({ message: toWords(error), kind: "bad" }),
  });
  return (
    <Button
      leftSection={<IconSend size={16} aria-hidden />}
      loading={publish.isPending}
      onClick={() => publish.mutate()}
    >
      {t("publish.action")}
    </Button>
  );
}

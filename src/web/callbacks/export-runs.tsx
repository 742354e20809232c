import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useNotify } from "../app/notices.tsx";
import { useErrorWords } from "../lib/error-words.ts";
import { saveFile } from "../lib/save-file.ts";
import { useApi } from "../lib/services.tsx";
import type { RunFilter } from "./run-filter.ts";

const formats = ["csv", "json"] as const;

/** Downloads the runs that the filter lets through, all of them. */
export function ExportRuns({ filter }: { filter: RunFilter }) {
  const { t } = useTranslation("callback-runs");
  const api = useApi();
  const notify = useNotify();
  const toWords = useErrorWords();
  const download = useMutation({
    mutationFn: async (format: (typeof formats)[number]) => {
      const query = { ...filter, format };
      const response = await api.open("GET", "/api/callbacks/runs/export", { query });
      saveFile(await response.blob(), `callback-runs.${format}`);
    },
    onError: (error) => notify({ kind: "bad", message: toWords(error) }),
  });
  return formats.map((format) => (
    <Button
      key={format}
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={download.isPending && download.variables === format}
      onClick={() => download.mutate(format)}
    >
      {t("export", { format: format.toUpperCase() })}
    </Button>
  ));
}

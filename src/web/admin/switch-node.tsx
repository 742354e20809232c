import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AdminNode } from "../../shared/api/nodes.ts";
import { useNotify } from "../app/notices.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { useSwitchNode } from "./queries.ts";

/** Takes a node out of everything public, or back in, after a question. */
export function SwitchNode({ node }: { node: AdminNode }) {
  const { t } = useTranslation("admin");
  const notify = useNotify();
  const [isAsking, setAsking] = useState(false);
  const change = useSwitchNode(node.id);
  const way = node.enabled ? "switchOff" : "switchOn";
  const name = node.node_name;
  const ask = (): void => {
    change.reset();
    setAsking(true);
  };
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={`${t(`nodes.${way}.action`)}: ${name}`}
        onClick={ask}
      >
        {t(`nodes.${way}.action`)}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t(`nodes.${way}.title`, { name })}
        action={t(`nodes.${way}.action`)}
        isPending={change.isPending}
        error={change.error}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          change.mutate(
            { enabled: !node.enabled },
            {
              onSuccess: () => {
                notify({ message: t(`nodes.${way}.done`, { name }) });
                setAsking(false);
              },
            },
          )
        }
      >
        {t(`nodes.${way}.what`, { owner: node.owner_email })}
      </ConfirmDialog>
    </>
  );
}

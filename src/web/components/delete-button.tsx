import { Button } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { deletionKey } from "../lib/deletion.ts";
import { useApi } from "../lib/services.tsx";
import { ConfirmByName } from "./confirm-by-name.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";

interface DeleteButtonProps {
  /** "Delete rule" */
  label: string;
  /** What is lost with it. */
  children: ReactNode;
  /** Must be typed; left out where little is lost. */
  name?: string;
  /** What needs it, and keeps it from being deleted. */
  users?: readonly { name: string; href: string }[];
  /** "These tasks use it" */
  usersWords?: string;
  /** Of the thing, in the API. */
  path: string;
  /** Is given the answer. */
  onRemoved: (answer: unknown) => void;
}

/** Deletes after a question; what still needs the thing is named with links instead. */
export function DeleteButton(props: DeleteButtonProps) {
  const { label, children, name, users = [], usersWords, path, onRemoved } = props;
  const { t } = useTranslation();
  const api = useApi();
  const [isOpen, setOpen] = useState(false);
  const client = useQueryClient();
  const deletion = useMutation({
    mutationKey: deletionKey(path),
    mutationFn: () => api.delete(path),
    onSuccess: async (answer) => {
      onRemoved(answer);
      await client.invalidateQueries({ refetchType: "none" });
    },
    // Somebody may have begun to use it meanwhile.
    onError: () => client.invalidateQueries(),
  });
  const isUsed = users.length > 0;
  const shared = {
    isOpen,
    title: name === undefined ? label : t("naming", { what: label, name }),
    isPending: deletion.isPending,
    error: deletion.error ?? undefined,
    onConfirm: () => deletion.mutate(),
    onClose: () => setOpen(false),
  };
  const open = (): void => {
    deletion.reset();
    setOpen(true);
  };
  return (
    <>
      <Button
        variant="default"
        c="var(--wp-bad)"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={open}
      >
        {label}
      </Button>
      {name === undefined || isUsed ? (
        <ConfirmDialog {...shared} isDangerous action={isUsed ? undefined : label}>
          {isUsed ? <Users users={users} words={usersWords ?? ""} /> : children}
        </ConfirmDialog>
      ) : (
        <ConfirmByName {...shared} name={name} action={label}>
          {children}
        </ConfirmByName>
      )}
    </>
  );
}

function Users({
  users,
  words,
}: {
  users: readonly { name: string; href: string }[];
  words: string;
}) {
  return (
    <>
      <p style={{ margin: 0 }}>{words}</p>
      <ul>
        {users.map(({ name, href }) => (
          <li key={href}>
            <Link href={href}>{name}</Link>
          </li>
        ))}
      </ul>
    </>
  );
}

import {
  ActionIcon,
  Button,
  NativeSelect,
  NumberInput,
  TextInput,
  VisuallyHidden,
} from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from "@tabler/icons-react";
import { useRef, type ClipboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { nodeLimits, transports } from "../../shared/api/nodes.ts";
import classes from "./connections-editor.module.css";
import { readEndpoint } from "./endpoint-text.ts";
import { newConnection, type NodeFormValues } from "./form-values.ts";

type NodeForm = UseFormReturnType<NodeFormValues>;

/** Where a node is reached: up to 16 rows of transport, address and port. */
export function ConnectionsEditor({ form }: { form: NodeForm }) {
  const { t } = useTranslation("my-nodes");
  const list = useRef<HTMLUListElement>(null);
  const { connections } = form.values;
  const isFull = connections.length >= nodeLimits.connections;

  /** Once the rows are drawn. */
  const focusLater = (selector: string): void => {
    setTimeout(() => list.current?.parentElement?.querySelector<HTMLElement>(selector)?.focus());
  };
  const add = (): void => {
    form.insertListItem("connections", newConnection());
    focusLater(`[data-path="connections.${connections.length}.ip"]`);
  };
  const remove = (index: number): void => {
    form.removeListItem("connections", index);
    focusLater(`[data-path="connections.${Math.max(index - 1, 0)}.ip"]`);
  };
  const move = (from: number, to: number): void => {
    form.reorderListItem("connections", { from, to });
    const isAtEnd = to === 0 || to === connections.length - 1;
    const direction = to < from === isAtEnd ? "down" : "up";
    focusLater(`[data-move="${direction}-${to}"]`);
  };
  return (
    <div>
      <ul ref={list} className={classes.list}>
        {connections.map(({ key }, index) => (
          <li key={key} className={classes.row} aria-label={t("form.connection", { n: index + 1 })}>
            <Row form={form} index={index} />
            <span className={classes.actions}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                data-move={`up-${index}`}
                aria-label={t("form.moveUp", { n: index + 1 })}
                disabled={index === 0}
                onClick={() => move(index, index - 1)}
              >
                <IconArrowUp size={18} stroke={1.7} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                data-move={`down-${index}`}
                aria-label={t("form.moveDown", { n: index + 1 })}
                disabled={index === connections.length - 1}
                onClick={() => move(index, index + 1)}
              >
                <IconArrowDown size={18} stroke={1.7} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="red"
                size="lg"
                aria-label={t("form.removeConnection", { n: index + 1 })}
                disabled={connections.length === 1}
                onClick={() => remove(index)}
              >
                <IconTrash size={18} stroke={1.7} aria-hidden />
              </ActionIcon>
            </span>
          </li>
        ))}
      </ul>
      <Button
        mt="sm"
        variant="default"
        leftSection={<IconPlus size={17} aria-hidden />}
        disabled={isFull}
        onClick={add}
      >
        {t("form.addConnection")}
      </Button>
      <VisuallyHidden role="status">
        {t("form.connectionCount", { count: connections.length })}
      </VisuallyHidden>
    </div>
  );
}

function Row({ form, index }: { form: NodeForm; index: number }) {
  const { t } = useTranslation("my-nodes");
  const paste = (event: ClipboardEvent): void => {
    const parts = readEndpoint(event.clipboardData.getData("text"));
    if (!parts) return;
    event.preventDefault();
    for (const [name, value] of Object.entries(parts)) {
      form.setFieldValue(`connections.${index}.${name}`, value);
    }
  };
  return (
    <>
      <NativeSelect
        label={t("form.transport")}
        data={[...transports]}
        {...form.getInputProps(`connections.${index}.type`)}
      />
      <TextInput
        className={classes.host}
        label={t("form.address")}
        required
        placeholder="203.0.113.7"
        autoComplete="off"
        spellCheck={false}
        onPaste={paste}
        {...form.getInputProps(`connections.${index}.ip`)}
      />
      <NumberInput
        label={t("form.port")}
        required
        hideControls
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps(`connections.${index}.port`)}
      />
    </>
  );
}

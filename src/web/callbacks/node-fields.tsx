import { NativeSelect, Select, Stack } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { transports, type AdminNode, type AdminNodesAnswer } from "../../shared/api/nodes.ts";
import { useApi } from "../lib/services.tsx";
import type { AccountFormState } from "./account-form.tsx";

const SHOWN = 50;
const TYPING_MS = 300;

/** Which node of this registry, and which of its connections. */
export function NodeFields({ form }: { form: AccountFormState }) {
  const { t } = useTranslation("callback-accounts");
  const [typed, setTyped] = useState("");
  const [settled] = useDebouncedValue(typed, TYPING_MS);
  const { node_id: id } = form.values.config;
  // The nodes run by id: the chosen one is the first behind the id before.
  const { data: around = [] } = useNodes({ after: Number(id) - 1, limit: 1 }, id !== "");
  const chosen = around.find((node) => String(node.id) === id);
  const toLabel = (node: AdminNode): string =>
    t("nodeChoice", { name: node.node_name, id: node.id, owner: node.owner_email });
  // What stands in the field after a choice is not what is looked for.
  const search = chosen && settled === toLabel(chosen) ? "" : settled;
  const { data: found = [], isPending } = useNodes({ search, limit: SHOWN });
  const nodes = [...(chosen ? [chosen] : []), ...found];
  const choices = new Map(nodes.map((node) => [String(node.id), toLabel(node)]));
  return (
    <Stack>
      <Select
        label={t("field.node_id")}
        description={t("hint.registry_node.node_id")}
        withAsterisk
        searchable
        searchValue={typed}
        onSearchChange={setTyped}
        // The service has searched already, in more than what is shown.
        filter={({ options }) => options}
        data={[...choices].map(([value, label]) => ({ value, label }))}
        nothingFoundMessage={isPending ? "…" : t("noNodes")}
        limit={SHOWN + 1}
        {...form.getInputProps("config.node_id")}
        value={id === "" ? null : id}
        onChange={(value: string | null) => form.setFieldValue("config.node_id", value ?? "")}
      />
      <NativeSelect
        label={t("field.transport")}
        description={t("hint.registry_node.transport")}
        data={[{ value: "", label: t("asRule") }, ...transports]}
        {...form.getInputProps("config.transport")}
      />
    </Stack>
  );
}

function useNodes(query: { search?: string; after?: number; limit: number }, enabled = true) {
  const api = useApi();
  return useQuery({
    queryKey: ["nodes", "choices", query],
    queryFn: async ({ signal }) =>
      (await api.get<AdminNodesAnswer>("/api/admin/nodes", query, signal)).nodes,
    enabled,
    placeholderData: keepPreviousData,
  });
}

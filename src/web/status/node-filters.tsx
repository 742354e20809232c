import { Button, Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./node-filters.module.css";
import { isFiltered, type NodeFilter } from "./node-filter.ts";

interface NodeFiltersProps {
  filter: NodeFilter;
  /** Tags that there are. */
  tags: readonly string[];
  onChange: (filter: NodeFilter) => void;
}

/** Narrows the list of nodes. */
export function NodeFilters({ filter, tags, onChange }: NodeFiltersProps) {
  const { t } = useTranslation("status");
  const known = filter.tag === "" || tags.includes(filter.tag) ? tags : [filter.tag, ...tags];
  return (
    <search className={classes.filters}>
      <TextInput
        label={t("filter.text")}
        placeholder={t("filter.example")}
        type="search"
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.currentTarget.value })}
        className={classes.text ?? ""}
      />
      <NativeSelect
        label={t("filter.region")}
        value={filter.region}
        onChange={(event) => onChange({ ...filter, region: event.currentTarget.value })}
        data={[
          { value: "", label: t("filter.anyRegion") },
          { value: "domestic", label: t("regions.domestic") },
          { value: "overseas", label: t("regions.overseas") },
        ]}
      />
      <NativeSelect
        label={t("filter.tag")}
        value={filter.tag}
        onChange={(event) => onChange({ ...filter, tag: event.currentTarget.value })}
        data={[{ value: "", label: t("filter.anyTag") }, ...known]}
      />
      <Checkbox
        label={t("filter.relay")}
        checked={filter.relayOnly}
        onChange={(event) => onChange({ ...filter, relayOnly: event.currentTarget.checked })}
        className={classes.relay ?? ""}
      />
      {isFiltered(filter) && (
        <Button
          variant="subtle"
          size="sm"
          onClick={() => onChange({ text: "", region: "", tag: "", relayOnly: false })}
        >
          {t("filter.clear")}
        </Button>
      )}
    </search>
  );
}

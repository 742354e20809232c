import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { nodeLimits, transports } from "../../shared/api/nodes.ts";
import { UnitInput } from "../components/unit-input.tsx";
import type { PublicationFormState } from "./publication-form.tsx";
import classes from "./publications.module.css";

/** Which nodes, in the words of "find a node". */
export function WishFields({ form }: { form: PublicationFormState }) {
  const { t } = useTranslation("publications");
  const { t: find } = useTranslation("find");
  return (
    <>
      <div className={classes.fields}>
        <UnitInput
          label={t("field.count")}
          unit={t("form.nodesUnit")}
          allowDecimal={false}
          {...form.getInputProps("node_count")}
        />
        <NativeSelect
          label={find("wish.region")}
          data={(["all", "domestic", "overseas"] as const).map((value) => ({
            value,
            label: find(`wish.regions.${value}`),
          }))}
          {...form.getInputProps("region")}
        />
        <NativeSelect
          label={find("wish.priority")}
          data={[
            { value: "", label: find("wish.balanced") },
            ...(["traffic", "bandwidth", "latency"] as const).map((value) => ({
              value,
              label: find(`wish.priorities.${value}`),
            })),
          ]}
          {...form.getInputProps("priority")}
        />
        <NativeSelect
          label={find("wish.transport")}
          data={[{ value: "", label: find("wish.anyTransport") }, ...transports]}
          {...form.getInputProps("transport")}
        />
        <TextInput
          label={find("wish.tag")}
          maxLength={nodeLimits.tagsLength}
          autoComplete="off"
          {...form.getInputProps("tag")}
        />
      </div>
      <Checkbox
        mt="md"
        label={find("wish.relay")}
        {...form.getInputProps("relay_only", { type: "checkbox" })}
      />
    </>
  );
}

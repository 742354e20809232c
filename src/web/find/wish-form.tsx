import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useId, useState, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Transport } from "../../shared/api/nodes.ts";
import { SubmitButton } from "../components/submit-button.tsx";
import { isLimit, limits, type Wish } from "./wish.ts";
import classes from "./wish-form.module.css";

const transports: readonly Transport[] = ["TCP", "UDP", "WS", "WSS", "WG", "QUIC"];

interface WishFormProps {
  initial: Wish;
  isPending: boolean;
  onSearch: (wish: Wish) => void;
}

/** What kind of node one looks for; everything may stay as it is. */
export function WishForm({ initial, isPending, onSearch }: WishFormProps) {
  const { t } = useTranslation("find");
  const [wish, setWish] = useState(initial);
  const [isWrong, setWrong] = useState(false);
  const limitId = useId();
  const set = (part: Partial<Wish>): void => setWish({ ...wish, ...part });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const isGood = isLimit(wish.limit);
    setWrong(!isGood);
    if (isGood) onSearch(wish);
    else document.querySelector<HTMLElement>(`#${CSS.escape(limitId)}`)?.focus();
  };
  return (
    <form noValidate onSubmit={submit}>
      <div className={classes.fields}>
        <NativeSelect
          label={t("wish.region")}
          value={wish.region}
          onChange={(event) => set({ region: event.currentTarget.value })}
          data={(["all", "domestic", "overseas"] as const).map((value) => ({
            value,
            label: t(`wish.regions.${value}`),
          }))}
        />
        <NativeSelect
          label={t("wish.priority")}
          value={wish.priority}
          onChange={(event) => set({ priority: event.currentTarget.value })}
          data={[
            { value: "", label: t("wish.balanced") },
            ...(["traffic", "bandwidth", "latency"] as const).map((value) => ({
              value,
              label: t(`wish.priorities.${value}`),
            })),
          ]}
        />
        <NativeSelect
          label={t("wish.transport")}
          value={wish.transport}
          onChange={(event) => set({ transport: event.currentTarget.value })}
          data={[{ value: "", label: t("wish.anyTransport") }, ...transports]}
        />
        <TextInput
          label={t("wish.tag")}
          value={wish.tag}
          maxLength={256}
          onChange={(event) => set({ tag: event.currentTarget.value })}
        />
        <TextInput
          id={limitId}
          label={t("wish.limit")}
          inputMode="numeric"
          value={wish.limit}
          onChange={(event) => set({ limit: event.currentTarget.value })}
          error={isWrong && !isLimit(wish.limit) ? t("wish.limitWrong", limits) : undefined}
        />
        <Checkbox
          className={classes.relay ?? ""}
          label={t("wish.relay")}
          checked={wish.relayOnly}
          onChange={(event) => set({ relayOnly: event.currentTarget.checked })}
        />
        <div className={classes.search}>
          <SubmitButton isSending={isPending}>{t("wish.search")}</SubmitButton>
        </div>
      </div>
    </form>
  );
}

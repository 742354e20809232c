import {
  IconBrandCloudflare,
  IconCloud,
  IconCloudBolt,
  IconServer,
  IconWebhook,
  IconWorld,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { AccountType } from "../../shared/api/callbacks.ts";
import { ChoiceCards } from "../components/choice-cards.tsx";
import { pageAddress } from "../lib/page-address.ts";

const cards = [
  ["webhook", IconWebhook],
  ["domain_account", IconWorld],
  ["cloudflare_origin_rule", IconBrandCloudflare],
  ["aliyun_esa", IconCloud],
  ["tencent_edgeone", IconCloudBolt],
  ["registry_node", IconServer],
] as const satisfies readonly (readonly [AccountType, unknown])[];

/** What an account can be, as cards. */
export function AccountTypeCards() {
  const { t } = useTranslation("callback-accounts");
  return (
    <ChoiceCards
      label={t("type")}
      choices={cards.map(([type, Icon]) => ({
        href: pageAddress("newCallbackAccount", undefined, { type }),
        name: t(`types.${type}.name`),
        what: t(`types.${type}.what`),
        icon: <Icon size={26} stroke={1.5} aria-hidden />,
      }))}
    />
  );
}

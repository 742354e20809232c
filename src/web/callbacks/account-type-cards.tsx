import {
  IconBrandCloudflare,
  IconCloud,
  IconCloudBolt,
  IconServer,
  IconWebhook,
  IconWorld,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { AccountType } from "../../shared/api/callbacks.ts";
import { pageAddress } from "../lib/page-address.ts";
import classes from "./account-type-cards.module.css";

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
    <ul className={classes.cards} aria-label={t("type")}>
      {cards.map(([type, Icon]) => (
        <li key={type}>
          <Link
            href={pageAddress("newCallbackAccount", undefined, { type })}
            className={classes.card}
          >
            <Icon size={26} stroke={1.5} aria-hidden />
            <strong>{t(`types.${type}.name`)}</strong>
            <span>{t(`types.${type}.what`)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

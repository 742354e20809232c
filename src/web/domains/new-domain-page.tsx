import type { Static } from "typebox";
import { useTranslation } from "react-i18next";
import { Link, useSearch } from "wouter";
import {
  providerNames,
  type DomainAccountChanged,
  type ProviderName,
} from "../../shared/api/domains.ts";
import { useNotify } from "../app/notices.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { useApi } from "../lib/services.tsx";
import { DomainForm } from "./domain-form.tsx";
import classes from "./domains.module.css";
import { ProviderHelp } from "./provider-help.tsx";

/** First the provider, then its fields; the provider stands in the address. */
export function NewDomainPage() {
  const { t } = useTranslation("domains");
  const wanted = new URLSearchParams(useSearch()).get("provider");
  const provider = providerNames.find((each) => each === wanted);
  if (provider) return <NewDomain key={provider} provider={provider} />;
  return (
    <>
      <PageHeader title={t("new.title")} lead={t("new.lead")} />
      <ul className={classes.cards} aria-label={t("provider")}>
        {providerNames.map((name) => (
          <li key={name}>
            <Link
              href={pageAddress("newDomainAccount", undefined, { provider: name })}
              className={classes.card}
            >
              <strong>{t(`providers.${name}.name`)}</strong>
              <span>{t(`providers.${name}.what`)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function NewDomain({ provider }: { provider: ProviderName }) {
  const { t } = useTranslation("domains");
  const api = useApi();
  const notify = useNotify();
  const path = "/api/domains/accounts";
  return (
    <>
      <PageHeader
        title={t("new.title")}
        lead={<Link href={pageAddress("newDomainAccount")}>{t("new.other")}</Link>}
      />
      <div className={classes.beside}>
        <DomainForm
          provider={provider}
          action={t("new.submit")}
          send={(body) => api.post<Static<typeof DomainAccountChanged>>(path, body)}
          onSaved={({ account }) => {
            notify({ message: t("new.done", { name: account.name }) });
            return pageAddress("domainAccount", account.id);
          }}
        />
        <ProviderHelp provider={provider} />
      </div>
    </>
  );
}

import type { Static } from "typebox";
import { useTranslation } from "react-i18next";
import { useSearch } from "wouter";
import {
  providerNames,
  type DomainAccountChanged,
  type ProviderName,
} from "../../shared/api/domains.ts";
import { useNotify } from "../app/notices.tsx";
import { Beside } from "../components/beside.tsx";
import { ChoiceCards } from "../components/choice-cards.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { useApi } from "../lib/services.tsx";
import { DomainForm } from "./domain-form.tsx";
import { toDomainBody } from "./domain-values.ts";
import { ProviderHelp } from "./provider-help.tsx";

/** First the provider, then its fields; the provider stands in the address. */
export function NewDomainPage() {
  const { t } = useTranslation("domains");
  const wanted = new URLSearchParams(useSearch()).get("provider");
  const provider = providerNames.find((each) => each === wanted);
  if (provider) return <NewDomain key={provider} provider={provider} />;
  return (
    <>
      <PageHeader
        title={t("new.title")}
        lead={t("new.lead")}
        back={{ href: pageAddress("domainAccounts"), label: t("title") }}
      />
      <ChoiceCards
        label={t("provider")}
        choices={providerNames.map((name) => ({
          href: pageAddress("newDomainAccount", undefined, { provider: name }),
          name: t(`providers.${name}.name`),
          what: t(`providers.${name}.what`),
        }))}
      />
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
        back={{ href: pageAddress("newDomainAccount"), label: t("new.other") }}
      />
      <Beside help={<ProviderHelp provider={provider} />}>
        <DomainForm
          provider={provider}
          action={t("new.submit")}
          send={(values) =>
            api.post<Static<typeof DomainAccountChanged>>(path, toDomainBody(provider, values))
          }
          onSaved={({ account }) => {
            notify({ message: t("new.done", { name: account.name }) });
            return pageAddress("domainAccount", account.id);
          }}
        />
      </Beside>
    </>
  );
}

import type { Static } from "typebox";
import { useTranslation } from "react-i18next";
import { useSearch } from "wouter";
import { accountTypes, type AccountChanged, type AccountType } from "../../shared/api/callbacks.ts";
import { useNotify } from "../app/notices.tsx";
import { Beside } from "../components/beside.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { useApi } from "../lib/services.tsx";
import { AccountForm } from "./account-form.tsx";
import { AccountTypeCards } from "./account-type-cards.tsx";
import { toAccountBody } from "./account-values.ts";
import { Recipe } from "./recipe.tsx";

/** First what it is for, then its fields; the type stands in the address. */
export function NewAccountPage() {
  const { t } = useTranslation("callback-accounts");
  const wanted = new URLSearchParams(useSearch()).get("type");
  const type = accountTypes.find((each) => each === wanted);
  if (!type) {
    return (
      <>
        <PageHeader
          title={t("new.title")}
          lead={t("new.lead")}
          back={{ href: pageAddress("callbackAccounts"), label: t("title") }}
        />
        <AccountTypeCards />
      </>
    );
  }
  return <NewAccount key={type} type={type} />;
}

function NewAccount({ type }: { type: AccountType }) {
  const { t } = useTranslation("callback-accounts");
  const api = useApi();
  const notify = useNotify();
  const path = "/api/callbacks/accounts";
  return (
    <>
      <PageHeader
        title={t("new.title")}
        back={{ href: pageAddress("newCallbackAccount"), label: t("new.other") }}
      />
      <Beside help={<Recipe type={type} />}>
        <AccountForm
          type={type}
          action={t("new.submit")}
          send={(values) =>
            api.post<Static<typeof AccountChanged>>(path, toAccountBody(type, values))
          }
          onSaved={({ account }) => {
            notify({ message: t("new.done", { name: account.name }) });
            return pageAddress("callbackAccount", account.id);
          }}
        />
      </Beside>
    </>
  );
}

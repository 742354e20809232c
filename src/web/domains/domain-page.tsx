import type { Static } from "typebox";
import { useTranslation } from "react-i18next";
import { useLocation, useParams } from "wouter";
import type { DomainAccount, DomainAccountChanged } from "../../shared/api/domains.ts";
import { useNotify } from "../app/notices.tsx";
import { Beside } from "../components/beside.tsx";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { DeleteButton } from "../components/delete-button.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Section } from "../components/section.tsx";
import { TestSection } from "../components/test-section.tsx";
import { UserLinks } from "../components/user-links.tsx";
import { sendChanges } from "../lib/changes.ts";
import { pageAddress } from "../lib/page-address.ts";
import { useApi } from "../lib/services.tsx";
import { useBegun } from "../lib/use-begun.ts";
import { useFresh } from "../lib/use-fresh.ts";
import { DomainForm } from "./domain-form.tsx";
import { toDomainChange } from "./domain-values.ts";
import { ProviderHelp } from "./provider-help.tsx";
import { useDomainAccount } from "./queries.ts";
import { useDomainUsers } from "./use-domain-users.ts";

/** One domain account: its fields, a test, and what uses it. */
export function DomainPage() {
  const { t } = useTranslation("domains");
  const id = Number(useParams().id);
  const query = useDomainAccount(id);
  const { error, refetch } = query;
  const account = useFresh(query);
  return (
    <>
      <PageHeader
        title={account?.name ?? t("account")}
        back={{ href: pageAddress("domainAccounts"), label: t("title") }}
        {...(account && { actions: <DeleteDomain account={account} /> })}
      />
      {error && (
        <ErrorNotice title={t("notLoadedOne")} error={error} onRetry={() => void refetch()} />
      )}
      {!account && !error && <CardSkeleton height={320} />}
      {account && <Domain account={account} />}
    </>
  );
}

function settingsOf({ name, provider, config }: DomainAccount): object {
  return { name, provider, config };
}

function Domain({ account }: { account: DomainAccount }) {
  const { t } = useTranslation("domains");
  const { t: editing } = useTranslation("editing");
  const api = useApi();
  const notify = useNotify();
  const usersOf = useDomainUsers();
  const { begun, round, loadAnew, beginWith } = useBegun(account, settingsOf);
  const path = `/api/domains/accounts/${account.id}`;
  return (
    <Beside
      help={
        <>
          <Section title={t("usedBy")}>
            <UserLinks users={usersOf(account.id)} none={t("unusedWhat")} />
          </Section>
          <ProviderHelp provider={account.provider} />
        </>
      }
    >
      <DomainForm
        key={round}
        provider={begun.provider}
        account={begun}
        action={editing("save")}
        loadAnew={loadAnew}
        send={(values) =>
          sendChanges(toDomainChange(begun, values), { account }, (changes) =>
            api.put<Static<typeof DomainAccountChanged>>(path, changes),
          )
        }
        onSaved={(answer) => {
          beginWith(answer.account);
          notify({ message: t("saved", { name: answer.account.name }) });
          return pageAddress("domainAccount", account.id);
        }}
      >
        {(isDirty) => <TestSection path={`${path}/test`} lead={t("testLead")} isDirty={isDirty} />}
      </DomainForm>
    </Beside>
  );
}

function DeleteDomain({ account }: { account: DomainAccount }) {
  const { t } = useTranslation("domains");
  const notify = useNotify();
  const [, navigate] = useLocation();
  const usersOf = useDomainUsers();
  return (
    <DeleteButton
      label={t("delete.action")}
      users={usersOf(account.id)}
      usersWords={t("delete.used")}
      path={`/api/domains/accounts/${account.id}`}
      onRemoved={() => {
        navigate(pageAddress("domainAccounts"));
        notify({ message: t("delete.done", { name: account.name }) });
      }}
    >
      {t("delete.what")}
    </DeleteButton>
  );
}

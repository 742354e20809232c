import type { Static } from "typebox";
import { useTranslation } from "react-i18next";
import { useLocation, useParams } from "wouter";
import type { AccountChanged, CallbackAccount } from "../../shared/api/callbacks.ts";
import { useNotify } from "../app/notices.tsx";
import { Beside } from "../components/beside.tsx";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { DeleteButton } from "../components/delete-button.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Section } from "../components/section.tsx";
import { UserLinks } from "../components/user-links.tsx";
import { sendChanges } from "../lib/changes.ts";
import { pageAddress } from "../lib/page-address.ts";
import { useApi } from "../lib/services.tsx";
import { useBegun } from "../lib/use-begun.ts";
import { useFresh } from "../lib/use-fresh.ts";
import { AccountForm } from "./account-form.tsx";
import { AccountTest } from "./account-test.tsx";
import { toAccountChange } from "./account-values.ts";
import { useCallbackAccount, useTasks } from "./queries.ts";
import { Recipe } from "./recipe.tsx";

/** One account: its fields, a test, and what uses it. */
export function AccountPage() {
  const { t } = useTranslation("callback-accounts");
  const id = Number(useParams().id);
  const query = useCallbackAccount(id);
  const { error, refetch } = query;
  const account = useFresh(query);
  return (
    <>
      <PageHeader
        title={account?.name ?? t("account")}
        back={{ href: pageAddress("callbackAccounts"), label: t("title") }}
        {...(account && { actions: <DeleteAccount account={account} /> })}
      />
      {error && (
        <ErrorNotice title={t("notLoadedOne")} error={error} onRetry={() => void refetch()} />
      )}
      {!account && !error && <CardSkeleton height={360} />}
      {account && <Account account={account} />}
    </>
  );
}

function settingsOf({ name, type, config }: CallbackAccount): object {
  return { name, type, config };
}

function useUsers(id: number): { name: string; href: string }[] {
  const { data: tasks = [] } = useTasks();
  return tasks
    .filter((task) => task.account_id === id)
    .map((task) => ({ name: task.name, href: pageAddress("callbackTask", task.id) }));
}

function Account({ account }: { account: CallbackAccount }) {
  const { t } = useTranslation("callback-accounts");
  const { t: editing } = useTranslation("editing");
  const api = useApi();
  const notify = useNotify();
  const users = useUsers(account.id);
  const { begun, round, loadAnew, beginWith } = useBegun(account, settingsOf);
  const path = `/api/callbacks/accounts/${account.id}`;
  return (
    <Beside
      help={
        <>
          <Section title={t("usedBy")}>
            <UserLinks users={users} none={t("unusedWhat")} />
          </Section>
          <Recipe type={account.type} />
        </>
      }
    >
      <AccountForm
        key={round}
        type={begun.type}
        account={begun}
        action={editing("save")}
        loadAnew={loadAnew}
        send={(values) =>
          sendChanges(toAccountChange(begun, values), { account }, (changes) =>
            api.put<Static<typeof AccountChanged>>(path, changes),
          )
        }
        onSaved={(answer) => {
          beginWith(answer.account);
          notify({ message: t("saved", { name: answer.account.name }) });
          return pageAddress("callbackAccount", account.id);
        }}
      >
        {(isDirty) => (
          <AccountTest id={account.id} isDirty={isDirty} isWebhook={account.type === "webhook"} />
        )}
      </AccountForm>
    </Beside>
  );
}

function DeleteAccount({ account }: { account: CallbackAccount }) {
  const { t } = useTranslation("callback-accounts");
  const notify = useNotify();
  const [, navigate] = useLocation();
  return (
    <DeleteButton
      label={t("delete.action")}
      users={useUsers(account.id)}
      usersWords={t("delete.used")}
      path={`/api/callbacks/accounts/${account.id}`}
      onRemoved={() => {
        navigate(pageAddress("callbackAccounts"));
        notify({ message: t("delete.done", { name: account.name }) });
      }}
    >
      {t("delete.what")}
    </DeleteButton>
  );
}

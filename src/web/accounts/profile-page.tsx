import { useTranslation } from "react-i18next";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { KeyValue } from "../components/key-value.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Section } from "../components/section.tsx";
import { useFormat } from "../lib/use-format.ts";
import { ChangePasswordForm } from "./change-password-form.tsx";
import { useMe } from "./queries.ts";
import { SignOutSection } from "./sign-out-section.tsx";

/** One's own account. */
export function ProfilePage() {
  const { t } = useTranslation("accounts");
  const format = useFormat();
  const { data: me, error, refetch } = useMe();
  return (
    <>
      <PageHeader title={t("profile.title")} />
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!me && !error && <CardSkeleton />}
      {me && (
        <>
          <Section title={t("profile.account")}>
            <KeyValue
              facts={[
                [t("fields.email"), me.email],
                [t("profile.role"), t(me.is_admin ? "profile.administrator" : "profile.user")],
                [t("profile.since"), format.dateTime(me.created_at)],
              ]}
            />
          </Section>
          <Section title={t("change.title")} lead={t("change.lead")}>
            <ChangePasswordForm email={me.email} />
          </Section>
          <SignOutSection />
        </>
      )}
    </>
  );
}

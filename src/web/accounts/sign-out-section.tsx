import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { pagePaths } from "../../shared/pages.ts";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Section } from "../components/section.tsx";
import { useServices } from "../lib/services.tsx";
import { useSignOutEverywhere } from "./queries.ts";

/** Ends the session of this browser, or all there are. */
export function SignOutSection() {
  const { t } = useTranslation("accounts");
  const { sessions } = useServices();
  const [, navigate] = useLocation();
  const everywhere = useSignOutEverywhere();
  return (
    <Section title={t("signOut.title")} lead={t("signOut.lead")}>
      {everywhere.error && <ErrorNotice error={everywhere.error} />}
      <Group>
        <Button
          variant="default"
          onClick={() => {
            navigate(pagePaths.status);
            sessions.finish("signed_out");
          }}
        >
          {t("signOut.here")}
        </Button>
        <Button
          variant="light"
          color="red"
          loading={everywhere.isPending}
          onClick={() =>
            everywhere.mutate(undefined, { onSuccess: () => navigate(pagePaths.signIn) })
          }
        >
          {t("signOut.everywhere")}
        </Button>
      </Group>
    </Section>
  );
}

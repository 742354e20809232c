import { Button, Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { pagePaths } from "../../shared/pages.ts";
import { useSession } from "../lib/services.tsx";

const AccountMenu = lazy(async () => ({
  default: (await import("./account-menu.tsx")).AccountMenu,
}));

/** The way in, or the menu of whoever is in. */
export function AccountCorner() {
  const { t } = useTranslation("shell");
  const session = useSession();
  if (!session) {
    return (
      <Button component={Link} href={pagePaths.signIn} size="compact-sm" variant="light">
        {t("signIn")}
      </Button>
    );
  }
  return (
    <Suspense fallback={<Skeleton circle height={34} />}>
      <AccountMenu session={session} />
    </Suspense>
  );
}

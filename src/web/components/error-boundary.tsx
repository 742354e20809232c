import { Button } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "./empty-state.tsx";
import { PageHeader } from "./page-header.tsx";

interface State {
  isBroken: boolean;
}

/** Keeps a page that breaks from taking the rest with it. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { isBroken: false };

  static getDerivedStateFromError(): State {
    return { isBroken: true };
  }

  override render(): ReactNode {
    return this.state.isBroken ? <Broken /> : this.props.children;
  }
}

/** Also after an update of the service, when the files of the page have other names. */
function Broken() {
  const { t } = useTranslation("shell");
  const action = <Button onClick={() => location.reload()}>{t("broken.action")}</Button>;
  return (
    <>
      <PageHeader title={t("broken.title")} />
      <EmptyState title={t("broken.what")} action={action}>
        {t("broken.todo")}
      </EmptyState>
    </>
  );
}

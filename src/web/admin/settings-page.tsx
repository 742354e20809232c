import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { AdminSetting } from "../../shared/api/admin.ts";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Section } from "../components/section.tsx";
import { chineseSettings } from "../locales/chinese-settings.ts";
import classes from "./admin.module.css";
import { useSettings } from "./queries.ts";
import { findSettings, settingGroups, toGroup } from "./setting-groups.ts";
import { SettingRow } from "./setting-row.tsx";
import { TextFilter } from "./text-filter.tsx";
import { useFilter } from "./use-filter.ts";

/** What the service was started with, for administrators. */
export function SettingsPage() {
  const { t, i18n } = useTranslation("settings");
  const [filter, setFilter] = useFilter(["search"]);
  const settings = useSettings();
  const describe = ({ name, description }: AdminSetting): string =>
    i18n.language === "zh-CN" ? (chineseSettings[name] ?? description) : description;
  const found = findSettings(settings.data ?? [], filter.search, describe);
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <div className={classes.filters} role="search">
        <TextFilter
          label={t("search")}
          value={filter.search}
          onChange={(search) => setFilter({ search })}
        />
      </div>
      {settings.error && (
        <ErrorNotice
          title={t("failed")}
          error={settings.error}
          onRetry={() => void settings.refetch()}
        />
      )}
      {settings.isPending && <CardSkeleton height={400} />}
      {settings.data && found.length === 0 && (
        <EmptyState
          title={t("none")}
          action={
            <Button variant="default" onClick={() => setFilter({ search: "" })}>
              {t("showAll")}
            </Button>
          }
        >
          {t("noneHint")}
        </EmptyState>
      )}
      {settingGroups.map((group) => {
        const members = found.filter((each) => toGroup(each) === group);
        return (
          members.length > 0 && (
            <Section key={group} title={t(`groups.${group}`)}>
              <ul className={classes.steps}>
                {members.map((setting) => (
                  <SettingRow
                    key={setting.name}
                    setting={setting}
                    description={describe(setting)}
                  />
                ))}
              </ul>
            </Section>
          )
        );
      })}
    </>
  );
}

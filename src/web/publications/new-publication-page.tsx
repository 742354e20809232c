import type { Static } from "typebox";
import { useTranslation } from "react-i18next";
import type { PublicationChanged } from "../../shared/api/publications.ts";
import { useNotify } from "../app/notices.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { useApi } from "../lib/services.tsx";
import { PublicationForm } from "./publication-form.tsx";
import { emptyPublication, toPublicationBody } from "./publication-values.ts";
import { publicationsPath } from "./queries.ts";

export function NewPublicationPage() {
  const { t } = useTranslation("publications");
  const api = useApi();
  const notify = useNotify();
  return (
    <>
      <PageHeader
        title={t("new.title")}
        lead={t("new.lead")}
        back={{ href: pageAddress("publications"), label: t("title") }}
      />
      <PublicationForm
        initialValues={emptyPublication}
        action={t("new.submit")}
        send={(values) =>
          api.post<Static<typeof PublicationChanged>>(publicationsPath, toPublicationBody(values))
        }
        onSaved={({ publication }) => {
          notify({ message: t("new.done", { name: publication.name }) });
          return pageAddress("publication", publication.id);
        }}
      />
    </>
  );
}

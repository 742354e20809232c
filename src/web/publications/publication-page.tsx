import type { Static } from "typebox";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useParams } from "wouter";
import type { Publication, PublicationChanged } from "../../shared/api/publications.ts";
import { useNotify } from "../app/notices.tsx";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { pageAddress } from "../lib/page-address.ts";
import { useApi } from "../lib/services.tsx";
import { useFresh } from "../lib/use-fresh.ts";
import { Comparison } from "./comparison.tsx";
import { DeletePublication } from "./delete-publication.tsx";
import { PublicationForm } from "./publication-form.tsx";
import { PublicationState } from "./publication-state.tsx";
import { toPublicationValues } from "./publication-values.ts";
import { PublishNow } from "./publish-now.tsx";
import { publicationsPath, usePublication } from "./queries.ts";

/** One list: what is published, what would change, and its fields. */
export function PublicationPage() {
  const { t } = useTranslation("publications");
  const id = Number(useParams().id);
  const query = usePublication(id);
  const { error, refetch } = query;
  const publication = useFresh(query);
  return (
    <>
      <PageHeader
        title={publication?.name ?? t("list")}
        back={{ href: pageAddress("publications"), label: t("title") }}
        {...(publication && { actions: <Actions publication={publication} /> })}
      />
      {error && (
        <ErrorNotice title={t("notLoadedOne")} error={error} onRetry={() => void refetch()} />
      )}
      {!publication && !error && <CardSkeleton height={320} />}
      {publication && <Parts key={id} publication={publication} />}
    </>
  );
}

function Actions({ publication }: { publication: Publication }) {
  return (
    <>
      <PublishNow publication={publication} />
      <DeletePublication publication={publication} />
    </>
  );
}

function Parts({ publication }: { publication: Publication }) {
  const { t } = useTranslation("publications");
  const { t: editing } = useTranslation("editing");
  const api = useApi();
  const notify = useNotify();
  // A saved form begins anew, with what is stored now.
  const [saves, setSaves] = useState(0);
  const { id, state } = publication;
  if (state.status === "deleting") return <PublicationState publication={publication} />;
  return (
    <>
      <PublicationState publication={publication} />
      <Comparison id={id} />
      <PublicationForm
        key={saves}
        id={id}
        initialValues={toPublicationValues(publication)}
        action={editing("save")}
        send={(body) =>
          api.put<Static<typeof PublicationChanged>>(`${publicationsPath}/${id}`, body)
        }
        onSaved={(answer) => {
          setSaves(saves + 1);
          notify({ message: t("saved", { name: answer.publication.name }) });
          return pageAddress("publication", id);
        }}
      />
    </>
  );
}

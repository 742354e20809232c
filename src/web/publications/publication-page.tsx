import type { Static } from "typebox";
import { useTranslation } from "react-i18next";
import { useParams } from "wouter";
import type { Publication, PublicationChanged } from "../../shared/api/publications.ts";
import { useNotify } from "../app/notices.tsx";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { sendChanges } from "../lib/changes.ts";
import { pageAddress } from "../lib/page-address.ts";
import { useApi } from "../lib/services.tsx";
import { useBegun } from "../lib/use-begun.ts";
import { useFresh } from "../lib/use-fresh.ts";
import { Comparison } from "./comparison.tsx";
import { DeletePublication } from "./delete-publication.tsx";
import { PublicationForm } from "./publication-form.tsx";
import { PublicationState } from "./publication-state.tsx";
import {
  toPublicationBody,
  toPublicationChange,
  toPublicationValues,
} from "./publication-values.ts";
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
  if (publication.state.status === "deleting")
    return <PublicationState publication={publication} />;
  return (
    <>
      <PublicationState publication={publication} />
      <Comparison id={publication.id} />
      <EditForm publication={publication} />
    </>
  );
}

function EditForm({ publication }: { publication: Publication }) {
  const { t } = useTranslation("publications");
  const { t: editing } = useTranslation("editing");
  const api = useApi();
  const notify = useNotify();
  const { begun, round, loadAnew, beginWith } = useBegun(publication, (each) =>
    toPublicationBody(toPublicationValues(each)),
  );
  const initialValues = toPublicationValues(begun);
  const { id } = publication;
  return (
    <PublicationForm
      key={round}
      id={id}
      initialValues={initialValues}
      action={editing("save")}
      loadAnew={loadAnew}
      send={(values) =>
        sendChanges(toPublicationChange(initialValues, values), { publication }, (changes) =>
          api.put<Static<typeof PublicationChanged>>(`${publicationsPath}/${id}`, changes),
        )
      }
      onSaved={(answer) => {
        beginWith(answer.publication);
        notify({ message: t("saved", { name: answer.publication.name }) });
        return pageAddress("publication", id);
      }}
    />
  );
}

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Static } from "typebox";
import type {
  NewPublication,
  Publication,
  PublicationAnswer,
  PublicationList,
  PublicationPreviewAnswer,
  PublicationStatus,
} from "../../shared/api/publications.ts";
import { useIsBeingDeleted } from "../lib/deletion.ts";
import { useApi } from "../lib/services.tsx";
import { freshQuery } from "../lib/use-fresh.ts";

export const publicationsPath = "/api/domains/publications";
/** The state moves on by itself, at first within a second or so. */
const RENEWED_MS = 5_000;
const SOON_MS = 1_000;
const passing: readonly PublicationStatus[] = ["pending", "withdrawing", "deleting"];

function renewedMs(publications: readonly Publication[] = []): number {
  const isPassing = publications.some(
    ({ state }) => passing.includes(state.status) && state.failures === 0,
  );
  return isPassing ? SOON_MS : RENEWED_MS;
}

export function usePublications() {
  const api = useApi();
  return useQuery({
    queryKey: ["publications", "all"],
    queryFn: async ({ signal }) =>
      (await api.get<Static<typeof PublicationList>>(publicationsPath, {}, signal)).publications,
    refetchInterval: ({ state }) => renewedMs(state.data),
  });
}

export function usePublication(id: number) {
  const api = useApi();
  const path = `${publicationsPath}/${id}`;
  return useQuery({
    queryKey: ["publications", "one", id],
    queryFn: async ({ signal }) =>
      (await api.get<Static<typeof PublicationAnswer>>(path, {}, signal)).publication,
    enabled: !useIsBeingDeleted(path),
    ...freshQuery,
    refetchInterval: ({ state }) => renewedMs(state.data && [state.data]),
  });
}

/** What would be published. @param body undefined: there is nothing to ask about yet */
export function usePublicationPreview(body: NewPublication | undefined, id: number | undefined) {
  const api = useApi();
  return useQuery({
    queryKey: ["publication preview", id, body],
    queryFn: async () => {
      const path = `${publicationsPath}/preview`;
      return (await api.post<Static<typeof PublicationPreviewAnswer>>(path, body, { id })).preview;
    },
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
  });
}

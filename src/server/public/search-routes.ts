import {
  PublicSearchAnswer,
  PublicSearchQuery,
  PublicTagsAnswer,
} from "../../shared/api/public.ts";
import { refusals } from "../http/refusals.ts";
import { JSON_TYPE } from "../http/sent-as-is.ts";
import type { App } from "../http/typed-app.ts";
import type { PublicList } from "./service.ts";

export interface PublicSearchParts {
  publicList: Pick<PublicList, "search" | "tags">;
}

/** What the page of the list needs beside the list itself. */
export function registerPublicSearchRoutes(app: App, { publicList }: PublicSearchParts): void {
  app.get(
    "/api/public/nodes",
    {
      schema: {
        tags: ["public"],
        summary: "Look for nodes of the list",
        description: "Page by page, in the order of the list, with how many there are.",
        querystring: PublicSearchQuery,
        response: { 200: PublicSearchAnswer, ...refusals(400) },
      },
    },
    (request, reply) => {
      void reply.header("cache-control", "public, max-age=5").type(JSON_TYPE);
      void reply.send(publicList.search(request.query) as never);
    },
  );
  app.get(
    "/api/public/tags",
    {
      schema: {
        tags: ["public"],
        summary: "The tags of the nodes of the list",
        response: { 200: PublicTagsAnswer },
      },
    },
    (_request, reply) => {
      void reply.header("cache-control", "public, max-age=60");
      return { tags: publicList.tags() };
    },
  );
}

import { MessageBody } from "../../shared/api/common.ts";
import {
  NewPublication,
  PublicationAnswer,
  PublicationChange,
  PublicationChanged,
  PublicationComparisonAnswer,
  PublicationList,
  PublicationPath,
  PublicationPreviewAnswer,
  PublicationPreviewQuery,
  PublicationRemoval,
} from "../../shared/api/publications.ts";
import { NothingInput } from "../../shared/api/users.ts";
import { callerOf, type Auth } from "../http/auth.ts";
import { refusals } from "../http/refusals.ts";
import type { App } from "../http/typed-app.ts";
import type { PublicationService } from "./service.ts";

export interface PublicationParts {
  publications: PublicationService;
  auth: Auth;
}

const PATH = "/api/domains/publications";
const tags = ["domains"];
const security = [{ session: [] }];

export function registerPublicationRoutes(app: App, parts: PublicationParts): void {
  registerReading(app, parts);
  registerCreation(app, parts);
  registerChanging(app, parts);
  registerPublishing(app, parts);
}

function registerReading(app: App, { publications, auth }: PublicationParts): void {
  app.get(
    PATH,
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "List the lists of nodes that are published as DNS records",
        response: { 200: PublicationList, ...refusals(401, 403) },
      },
    },
    async () => ({ publications: await publications.list() }),
  );
  app.get(
    `${PATH}/:id`,
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "One published list",
        params: PublicationPath,
        response: { 200: PublicationAnswer, ...refusals(401, 403, 404) },
      },
    },
    async (request) => ({ publication: await publications.get(request.params.id) }),
  );
}

function registerCreation(app: App, { publications, auth }: PublicationParts): void {
  app.post(
    PATH,
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Publish the best nodes as DNS records from now on",
        description:
          "For clients that look their peer up as txt:// or srv://. Nodes are chosen as by the query and stay while they can be used. The first publication follows at once.",
        body: NewPublication,
        response: { 201: PublicationChanged, ...refusals(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const publication = await publications.create(callerOf(request), request.body);
      reply.code(201);
      return { message: "The list is published from now on", publication };
    },
  );
  app.post(
    `${PATH}/preview`,
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Which nodes and records would be published",
        description: "Nothing is stored, and nobody is asked.",
        querystring: PublicationPreviewQuery,
        body: NewPublication,
        response: { 200: PublicationPreviewAnswer, ...refusals(400, 401, 403) },
      },
    },
    async (request) => ({ preview: await publications.preview(request.body, request.query.id) }),
  );
}

function registerChanging(app: App, { publications, auth }: PublicationParts): void {
  app.put(
    `${PATH}/:id`,
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Change a published list",
        description: "What it published at another place before is withdrawn there.",
        params: PublicationPath,
        body: PublicationChange,
        response: { 200: PublicationChanged, ...refusals(400, 401, 403, 404, 409) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const publication = await publications.change(callerOf(request), id, request.body);
      return { message: "The list is changed", publication };
    },
  );
  app.delete(
    `${PATH}/:id`,
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Withdraw a list and delete it",
        description:
          "202: its records could not be withdrawn yet. It is tried on, and the list goes when that is done.",
        params: PublicationPath,
        querystring: PublicationRemoval,
        response: {
          200: MessageBody,
          202: PublicationChanged,
          ...refusals(400, 401, 403, 404),
        },
      },
    },
    async (request, reply) => {
      const { keep_records: keepsRecords = false } = request.query;
      const left = await publications.remove(callerOf(request), request.params.id, keepsRecords);
      if (!left) return { message: "The list is deleted" };
      const message = "The list is deleted once its records are withdrawn";
      return reply.code(202).send({ message, publication: left });
    },
  );
}

function registerPublishing(app: App, { publications, auth }: PublicationParts): void {
  app.post(
    `${PATH}/:id/publish`,
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "Look at nodes and records now, and write what differs",
        description: "Answers when that is done; whether it went well stands in the state.",
        params: PublicationPath,
        body: NothingInput,
        response: { 200: PublicationChanged, ...refusals(400, 401, 403, 404, 409) },
      },
    },
    async (request) => {
      const publication = await publications.publishNow(callerOf(request), request.params.id);
      return { message: "The list was looked at", publication };
    },
  );
  app.post(
    `${PATH}/:id/compare`,
    {
      onRequest: auth.administrator,
      schema: {
        tags,
        security,
        summary: "What the next publication would change",
        description: "Only reads at the provider.",
        params: PublicationPath,
        body: NothingInput,
        response: { 200: PublicationComparisonAnswer, ...refusals(400, 401, 403, 404, 409) },
      },
    },
    async (request) => ({ comparison: await publications.compare(request.params.id) }),
  );
}

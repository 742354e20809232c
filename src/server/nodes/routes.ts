import { MessageBody } from "../../shared/api/common.ts";
import {
  MyNodesAnswer,
  NewNode,
  NewNodeAnswer,
  NewTokenAnswer,
  NodeAnswer,
  NodeChange,
  NodePath,
  OwnNodesAnswer,
} from "../../shared/api/nodes.ts";
import { NothingInput } from "../../shared/api/users.ts";
import { callerOf, type Auth } from "../http/auth.ts";
import { refusals } from "../http/refusals.ts";
import type { App } from "../http/typed-app.ts";
import { readingBodyWith } from "../http/validator.ts";
import { parseNewNode, parseNodeChange } from "./input.ts";
import type { NodeService } from "./service.ts";
import type { NewNodeSettings, NodeSettings } from "./settings.ts";

export interface NodeParts {
  nodes: NodeService;
  auth: Auth;
}

const tags = ["nodes"];
const security = [{ session: [] }];

export function registerNodeRoutes(app: App, parts: NodeParts): void {
  registerReading(app, parts);
  registerCreation(app, parts);
  registerChanging(app, parts);
  registerTokens(app, parts);
}

function registerReading(app: App, { nodes, auth }: NodeParts): void {
  app.get(
    "/api/nodes/my",
    {
      onRequest: auth.user,
      schema: {
        tags,
        security,
        summary: "List your nodes",
        response: { 200: MyNodesAnswer, ...refusals(401) },
      },
    },
    (request) => ({ nodes: nodes.listOwn(callerOf(request)) }),
  );
  app.get(
    "/api/nodes/",
    {
      onRequest: auth.user,
      schema: {
        tags,
        security,
        summary: "List your nodes, each whole",
        response: { 200: OwnNodesAnswer, ...refusals(401) },
      },
    },
    (request) => ({ nodes: nodes.listOwnWhole(callerOf(request)) }),
  );
  app.get(
    "/api/nodes/:id",
    {
      onRequest: auth.user,
      schema: {
        tags,
        security,
        summary: "One of your nodes, whole",
        params: NodePath,
        response: { 200: NodeAnswer, ...refusals(401, 403, 404) },
      },
    },
    (request) => ({ node: nodes.get(callerOf(request), request.params.id) }),
  );
}

function registerCreation(app: App, { nodes, auth }: NodeParts): void {
  app.post(
    "/api/nodes/",
    {
      onRequest: auth.user,
      schema: {
        tags,
        security,
        summary: "Create a node",
        description:
          "The answer shows the report token, once. Fields that are not known are ignored.",
        body: NewNode,
        response: { 201: NewNodeAnswer, ...refusals(400, 401, 503) },
      },
      validatorCompiler: readingBodyWith(parseNewNode),
    },
    async (request, reply) => {
      const settings = request.body as unknown as NewNodeSettings;
      const { id, token } = await nodes.create(callerOf(request), settings);
      reply.code(201);
      return { message: "Node created", node_id: id, report_token: token };
    },
  );
}

function registerChanging(app: App, { nodes, auth }: NodeParts): void {
  app.put(
    "/api/nodes/:id",
    {
      onRequest: auth.user,
      schema: {
        tags,
        security,
        summary: "Change a node",
        description:
          "Fields that are left out stay as they are; those that are not known are ignored.",
        params: NodePath,
        body: NodeChange,
        response: { 200: MessageBody, ...refusals(400, 401, 403, 404, 503) },
      },
      validatorCompiler: readingBodyWith(parseNodeChange),
    },
    async (request) => {
      const settings = request.body as unknown as Partial<NodeSettings>;
      await nodes.change(callerOf(request), request.params.id, settings);
      return { message: "Node updated" };
    },
  );
  app.delete(
    "/api/nodes/:id",
    {
      onRequest: auth.user,
      schema: {
        tags,
        security,
        summary: "Delete a node",
        params: NodePath,
        response: { 200: MessageBody, ...refusals(401, 403, 404, 503) },
      },
    },
    async (request) => {
      await nodes.remove(callerOf(request), request.params.id);
      return { message: "Node deleted" };
    },
  );
}

function registerTokens(app: App, { nodes, auth }: NodeParts): void {
  app.post(
    "/api/nodes/:id/report-token",
    {
      onRequest: auth.user,
      schema: {
        tags,
        security,
        summary: "Make a new report token",
        description: "The token before works for ten more minutes, one from before that no longer.",
        params: NodePath,
        body: NothingInput,
        response: { 201: NewTokenAnswer, ...refusals(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const token = await nodes.rotateToken(callerOf(request), request.params.id);
      reply.code(201);
      return {
        message: "New report token made; the old one works for ten more minutes",
        report_token: token,
      };
    },
  );
}

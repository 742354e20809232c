import type { FastifyRequest } from "fastify";
import { invalidFields } from "../lib/errors.ts";
import { wrongMediaType } from "./error-handler.ts";
import { parseJsonBody } from "./json-body.ts";
import type { App } from "./typed-app.ts";

type Done = (error: Error | null, body?: unknown) => void;

/** Bodies are JSON. One that does not say what it is, is taken for JSON too. */
export function addBodyParsers(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, parse);
  app.addContentTypeParser("*", { parseAs: "buffer" }, (request, body, done) => {
    if (request.headers["content-type"] === undefined) parse(request, body, done);
    else done(wrongMediaType());
  });
}

function parse(_request: FastifyRequest, body: Buffer | string, done: Done): void {
  let value: unknown;
  try {
    value = parseJsonBody(body as Buffer);
    // Fastify takes null for no body at all.
    if (value === null)
      throw invalidFields([{ path: "", message: "The body must be a JSON object" }]);
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, value);
}

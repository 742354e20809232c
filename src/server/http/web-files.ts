import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyReply, FastifyRequest } from "fastify";
import { pagePaths } from "../../shared/pages.ts";
import type { Logger } from "../lib/logger.ts";
import { webPageHeaders } from "./headers.ts";
import type { App } from "./typed-app.ts";

/** Where `npm run build:web` puts the app. */
export const WEB_FOLDER = join(import.meta.dirname, "../../../dist/web");

/** Stands in the built index.html wherever a nonce belongs (vite.config.ts). */
export const NONCE_PLACE = "NONCE-OF-THIS-ANSWER";

const A_YEAR_MS = 365 * 24 * 3600 * 1000;
const NONCE_BYTES = 18;

const NOT_BUILT =
  "The web app is not built. `npm run build:web` builds it; then start the service again. " +
  "The API works without it and is described at /docs.\n";

/** The files of the web app, and the one page that all its addresses begin with. */
export class WebFiles {
  readonly #folder: string;
  /** index.html between its nonces; undefined when the app is not built. */
  readonly #index: readonly string[] | undefined;

  constructor(folder: string, logger: Logger) {
    this.#folder = folder;
    this.#index = readIndex(folder);
    if (!this.#index) {
      logger.warn({ folder }, "the web app is not built: `npm run build:web` builds it");
    }
  }

  /** Every page of the app, and what the pages load. */
  async register(app: App): Promise<void> {
    for (const path of Object.values(pagePaths)) {
      app.get(path, { schema: { hide: true } }, (_request, reply) => void this.#answerPage(reply));
    }
    if (!this.#index) return;
    await app.register(fastifyStatic, {
      root: join(this.#folder, "assets"),
      prefix: "/assets/",
      preCompressed: true,
      index: false,
      // Their names change with what is in them.
      immutable: true,
      maxAge: A_YEAR_MS,
    });
  }

  /**
   * For an address that names nothing: people who typed it get the app, which says so; programs
   * get what every refusal looks like.
   * @returns the answer, or undefined when whoever asks is no browser that wants a page
   */
  answerUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
    const wantsPage =
      this.#index !== undefined &&
      (request.method === "GET" || request.method === "HEAD") &&
      request.headers.accept?.includes("text/html") === true &&
      !/^\/(?:api|docs|assets)(?:\/|$)/.test(request.url);
    return wantsPage ? this.#answerPage(reply.code(404)) : undefined;
  }

  /**
   * The page has no entity tag: one that is taken from a cache has an older nonce than the header
   * that comes with a 304, and it is hardly larger than that.
   */
  #answerPage(reply: FastifyReply): FastifyReply {
    if (!this.#index) return reply.code(503).type("text/plain; charset=utf-8").send(NOT_BUILT);
    const nonce = randomBytes(NONCE_BYTES).toString("base64");
    return reply
      .headers(webPageHeaders(nonce))
      .type("text/html; charset=utf-8")
      .send(this.#index.join(nonce));
  }
}

function readIndex(folder: string): string[] | undefined {
  try {
    return readFileSync(join(folder, "index.html"), "utf8").split(NONCE_PLACE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

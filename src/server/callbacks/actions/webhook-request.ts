import type { KeyObject } from "node:crypto";
import type { WebhookConfig } from "../../../shared/api/callback-configs.ts";
import { sentenceOf, type FieldError } from "../../../shared/field-errors.ts";
import { toWebhookKey } from "../../lib/standard-webhooks.ts";
import { parseHeadersText, renderHeaders, type HeaderTemplate } from "../headers-text.ts";
import { compileTemplate, type Place, type Template } from "../template.ts";
import { TemplateError } from "../template-error.ts";
import { sampleValues, type TemplateValues } from "../template-values.ts";

/** A configured webhook, its texts read. */
export interface CompiledWebhook {
  url: Template;
  headers: readonly HeaderTemplate[];
  body: Template;
  /** What the body is, unless a header says so; undefined: there is none. */
  contentType: string | undefined;
  /** Undefined: nothing is signed. */
  signingKey: KeyObject | undefined;
}

export interface RenderedWebhook {
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const mediaTypes = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  text: "text/plain; charset=utf-8",
} as const;

/** What is sent when nothing else is written: what happened, for machines. */
const defaultBody = `{${[
  "event",
  "rule_name",
  "public_ip",
  "public_port",
  "previous_ip",
  "previous_port",
  "changed",
  "run_id",
  "timestamp",
]
  .map((name) => `"${name}":{{ ${name} | json }}`)
  .join(",")}}`;

/** The same config gives the same, and reading it costs more than all the rest. */
const knownWebhooks = new WeakMap<WebhookConfig, CompiledWebhook>();

/** @throws TemplateError with the name of the field before its message */
export function compileWebhook(config: WebhookConfig): CompiledWebhook {
  const known = knownWebhooks.get(config);
  if (known) return known;
  const { webhook, errors } = read(config);
  if (!webhook) throw new TemplateError(sentenceOf(errors));
  knownWebhooks.set(config, webhook);
  return webhook;
}

/** What is wrong with the texts of a webhook. */
export function webhookObjections(config: WebhookConfig): FieldError[] {
  const { webhook, errors } = read(config);
  if (!webhook) return errors;
  return sampleValues()
    .map((values) => urlObjection(webhook.url.render(values)))
    .filter((message) => message !== undefined)
    .slice(0, 1)
    .map((message) => ({ path: "url", message }));
}

export function renderWebhook(
  { method }: Pick<WebhookConfig, "method">,
  webhook: CompiledWebhook,
  values: TemplateValues,
): RenderedWebhook {
  const headers = renderHeaders(webhook.headers, values);
  const url = webhook.url.render(values);
  if (method === "GET") return { url, headers, body: undefined };
  if (webhook.contentType !== undefined) headers["Content-Type"] = webhook.contentType;
  return { url, headers, body: webhook.body.render(values) };
}

type Reading =
  | { webhook: CompiledWebhook; errors: never[] }
  | { webhook: undefined; errors: FieldError[] };

function read(config: WebhookConfig): Reading {
  const { url, headers = "", body_template: given = "", signing_secret: secret } = config;
  const errors: FieldError[] = [];
  const attempt = <T>(path: string, work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      errors.push({ path, message: error.message });
      return undefined;
    }
  };
  const body = given.trim() === "" ? defaultBody : given;
  const urlTemplate = attempt("url", () => compileTemplate(url, "url"));
  const headerTemplates = attempt("headers", () => parseHeadersText(headers));
  const stated = contentTypeIn(headers);
  const place = placeOf(stated, body);
  const bodyTemplate = attempt("body_template", () => compileTemplate(body, place));
  if (!urlTemplate || !headerTemplates || !bodyTemplate) return { webhook: undefined, errors };
  const contentType = stated === undefined ? mediaTypes[place] : undefined;
  const webhook = {
    url: urlTemplate,
    headers: headerTemplates,
    body: bodyTemplate,
    contentType,
    signingKey: secret === undefined ? undefined : toWebhookKey(secret),
  };
  return { webhook, errors: [] };
}

function contentTypeIn(headers: string): string | undefined {
  return /^[ \t]*content-type[ \t]*:(.*)$/im.exec(headers)?.[1]?.trim().toLowerCase();
}

/** Without a header, a body is JSON when it begins like it; two braces are the start of a name. */
function placeOf(contentType: string | undefined, body: string): Exclude<Place, "url" | "header"> {
  if (contentType === undefined) return /^\s*(?:\[|\{(?!\{))/.test(body) ? "json" : "text";
  if (/^[^;]*[/+]json\b/.test(contentType)) return "json";
  return contentType.startsWith(mediaTypes.form) ? "form" : "text";
}

function urlObjection(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url) return "must be a URL once its names have values";
  if (url.protocol !== "http:" && url.protocol !== "https:") return "must be an http or https URL";
  if (url.username !== "" || url.password !== "") {
    return "must not hold a user name; use a header Authorization";
  }
  return undefined;
}

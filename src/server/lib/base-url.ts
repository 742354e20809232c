import type { FieldError } from "../../shared/field-errors.ts";

/** What is wrong with the place of an API: nothing but an origin and a path may stand in it. */
export function baseUrlObjections(value: string | undefined): FieldError[] {
  if (value === undefined) return [];
  const url = URL.parse(value);
  const isPlain =
    url !== null &&
    (url.protocol === "http:" || url.protocol === "https:") &&
    `${url.username}${url.password}${url.search}${url.hash}` === "";
  const message = "must be a URL such as https://api.example.com/v1, without a user and a query";
  return isPlain ? [] : [{ path: "base_url", message }];
}

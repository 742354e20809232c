import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseHeadersText, renderHeaders } from "../../../src/server/callbacks/headers-text.ts";
import { compileTemplate, type Place } from "../../../src/server/callbacks/template.ts";
import { TemplateError } from "../../../src/server/callbacks/template-error.ts";
import {
  toTemplateValues,
  type TemplateValues,
} from "../../../src/server/callbacks/template-values.ts";

const values = toTemplateValues({
  rule: { id: 7, name: 'My "NAS" & more', transport: "tcp" },
  mapping: { publicIp: "203.0.113.9", publicPort: 50_234 },
  previous: { publicIp: "203.0.113.9", publicPort: 50_001 },
  event: "stun_port_change",
  runId: 42,
  at: Date.parse("2026-11-20T12:00:00Z"),
});
const first: TemplateValues = { ...values, previous_ip: null, previous_port: null };

function render(text: string, place: Place = "text", given = values): string {
  return compileTemplate(text, place).render(given);
}

function refusal(text: string, place: Place = "text"): TemplateError {
  try {
    compileTemplate(text, place);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error(`${text} was accepted`);
}

/** What the work gives, or the class of the error that it ends with. */
function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as Error).constructor;
  }
}

describe("the values of a template", () => {
  test("are these", () => {
    expect(values).toEqual({
      public_ip: "203.0.113.9",
      public_port: 50_234,
      public_address: "203.0.113.9:50234",
      previous_ip: "203.0.113.9",
      previous_port: 50_001,
      rule_id: 7,
      rule_name: 'My "NAS" & more',
      transport: "tcp",
      event: "stun_port_change",
      changed: "port",
      run_id: 42,
      timestamp: "2026-11-20T12:00:00.000Z",
      ip4p: "2001::c43a:cb00:7109",
    });
  });

  test("write an IPv6 address in brackets before its port, and have no IP4P for it", () => {
    const ipv6 = toTemplateValues({
      rule: { id: 7, name: "nas", transport: "tcp" },
      mapping: { publicIp: "2001:db8::1", publicPort: 443 },
      previous: null,
      event: "manual",
      runId: null,
      at: 0,
    });
    expect(ipv6).toMatchObject({
      public_address: "[2001:db8::1]:443",
      ip4p: null,
      changed: "",
      previous_ip: null,
      previous_port: null,
    });
  });
});

describe("a template", () => {
  test("puts values where their names stand, with or without blanks", () => {
    expect(render("{{public_ip}}:{{ public_port }} of {{\trule_id\n}}")).toBe(
      "203.0.113.9:50234 of 7",
    );
  });

  test("reads the names of other programs", () => {
    expect(render("#{ip}:#{port} #{ ruleName }")).toBe('203.0.113.9:50234 My "NAS" & more');
  });

  test("leaves alone what only looks like a name", () => {
    expect(render("{ public_ip } {public_ip} # {ip} #{1} $ {ip}} }}")).toBe(
      "{ public_ip } {public_ip} # {ip} #{1} $ {ip}} }}",
    );
  });

  test("can write its own signs", () => {
    expect(render('{{ "{{" }} {{ "#{ip}" }} {{ "a\\"b" }}')).toBe('{{ #{ip} a"b');
  });

  test("writes nothing for a missing value, or what stands in for it", () => {
    expect(render("[{{ previous_ip }}]", "text", first)).toBe("[]");
    expect(render('[{{ previous_ip | default("none") }}]', "text", first)).toBe("[none]");
    expect(render('[{{ previous_ip | default("none") }}]')).toBe("[203.0.113.9]");
  });

  test.each<[string, Place, string]>([
    ["{{ rule_name }}", "text", 'My "NAS" & more'],
    ["{{ rule_name }}", "header", 'My "NAS" & more'],
    ["{{ rule_name }}", "url", "My%20%22NAS%22%20%26%20more"],
    ["{{ rule_name }}", "form", "My%20%22NAS%22%20%26%20more"],
    ['"{{ rule_name }}"', "json", '"My \\"NAS\\" & more"'],
    ["{{ rule_name | raw }}", "url", 'My "NAS" & more'],
    ["{{ rule_name | url }}", "url", "My%20%22NAS%22%20%26%20more"],
    ["{{ rule_name | url }}", "text", "My%20%22NAS%22%20%26%20more"],
    ["{{ rule_name | url | url }}", "text", "My%2520%2522NAS%2522%2520%2526%2520more"],
    ["{{ rule_name | json }}", "text", '"My \\"NAS\\" & more"'],
    ["{{ rule_name | json }}", "json", '"My \\"NAS\\" & more"'],
    ['"{{ rule_name | json }}"', "json", '"\\"My \\\\\\"NAS\\\\\\" & more\\""'],
    ["{{ public_ip | base64 }}", "text", "MjAzLjAuMTEzLjk="],
    ["{{ public_ip | base64 }}", "url", "MjAzLjAuMTEzLjk%3D"],
    ["{{ public_port | base64 | url }}", "text", "NTAyMzQ%3D"],
    ['{"port": {{ public_port }}}', "json", '{"port": 50234}'],
    ['{"port": {{ public_port | json }}}', "json", '{"port": 50234}'],
    ['{"port": "{{ public_port }}"}', "json", '{"port": "50234"}'],
  ])("renders %s in a %s as %s", (text, place, expected) => {
    expect(render(text, place)).toBe(expected);
  });

  test("writes null for a missing value that stands bare in JSON", () => {
    const text =
      '{"a": {{ previous_port }}, "b": "{{ previous_port }}", "c": {{ previous_ip | json }}, "d": {{ previous_port | default("0") }}}';
    expect(JSON.parse(render(text, "json", first))).toEqual({ a: null, b: "", c: null, d: 0 });
  });

  test("refuses a header whose value holds a line break", () => {
    const given = { ...values, rule_name: "a\r\nX-Other: b" };
    expect(() => render("{{ rule_name }}", "header", given)).toThrow(/line breaks/);
    expect(() => render("{{ rule_name | raw }}", "header", given)).toThrow(TemplateError);
  });

  test("refuses to make a JSON text that is none, when raw values break it", () => {
    const template = compileTemplate('{"a": "{{ rule_name | raw }}"}', "json");
    expect(() => template.render(values)).toThrow(/not JSON after substitution/);
    expect(template.render({ ...values, rule_name: "plain" })).toBe('{"a": "plain"}');
  });

  test.each<[string, string | undefined]>([
    ["{{ publicIp }}", "public_ip"],
    ["{{ public_prot }}", "public_port"],
    ["{{ port }}", "public_port"],
    ["{{ rulename }}", "rule_name"],
    ["{{ elephant }}", undefined],
    ["{{ public_ip.x }}", "public_ip"],
    ["#{ipAddr}", undefined],
    ["#{rulename}", "{{ rule_name }}"],
    ["{{ public_ip | bas64 }}", "base64"],
    ["{{ public_ip | default }}", 'default("…")'],
  ])("finds %s unknown and suggests %s", (text, suggestion) => {
    expect(refusal(text).suggestion).toBe(suggestion);
  });

  test.each([
    "{{",
    "{{ }}",
    "{{ public_ip",
    "{{ public_ip }",
    "{{ public_ip public_port }}",
    "{{ public_ip | }}",
    "{{ public_ip || json }}",
    '{{ public_ip | default("a }}',
    '{{ public_ip | default("a" }}',
    "{{ public_ip | default(a) }}",
    '{{ "a\\q" }}',
    "{{ public_ip() }}",
  ])("cannot read %s", (text) => {
    expect(refusal(text).message).toMatch(/cannot be read/);
  });

  test.each<[string, RegExp]>([
    ['{"a": {{ public_ip }}}', /outside quotes.*did you mean "\{\{ public_ip \}\}" or/],
    ['{"a": {{ public_port | base64 }}}', /outside quotes/],
    ['{"a": "{{ public_ip }}"', /not JSON/],
    ['{"a": 1{{ previous_port }}}', /not JSON/],
    ['{"a": "\\{{ public_ip }}"}', /A backslash stands before/],
    ['{"a": "\\u12{{ public_ip }}"}', /A backslash stands before/],
    ['{"a": {{ previous_port | default("none") }}}', /not JSON/],
    ["public_ip={{ public_ip | raw }}", /not JSON/],
  ])("refuses %s as JSON", (text, message) => {
    expect(refusal(text, "json").message).toMatch(message);
  });

  test("counts a backslash that is escaped itself as no escape", () => {
    expect(render('{"a": "\\\\{{ rule_id }}\\u0041{{ rule_id }}"}', "json")).toBe(
      '{"a": "\\\\7\\u00417"}',
    );
  });
});

describe("whatever the values are", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "{{ public_port }}",
      "#{port}",
      '"}',
      "\\",
      '"{{ rule_id }}',
      "\u2028",
      "\ud800",
    ),
  );
  const arbitrary: fc.Arbitrary<TemplateValues> = fc.record({
    public_ip: text,
    public_port: fc.integer({ min: 1, max: 65_535 }),
    public_address: text,
    previous_ip: fc.option(text),
    previous_port: fc.option(fc.integer({ min: 1, max: 65_535 })),
    rule_id: fc.integer({ min: 1 }),
    rule_name: text,
    transport: fc.constantFrom("udp", "tcp"),
    event: fc.constant("manual"),
    changed: text,
    run_id: fc.option(fc.integer({ min: 1 })),
    timestamp: text,
    ip4p: fc.option(text),
  });
  const names = Object.keys(values) as (keyof TemplateValues)[];

  test("JSON stays JSON and says just them", () => {
    const body = `{${names.map((name) => `"${name}": {{ ${name} | json }}, "${name}_text": "<{{ ${name} }}>"`).join(",")}}`;
    const template = compileTemplate(body, "json");
    fc.assert(
      fc.property(arbitrary, (given) => {
        const said = JSON.parse(template.render(given)) as Record<string, unknown>;
        for (const name of names) {
          const value = given[name];
          const shown = typeof value === "string" ? value.toWellFormed() : value;
          expect(said[name]).toBe(shown);
          expect(said[`${name}_text`]).toBe(`<${shown ?? ""}>`);
        }
      }),
    );
  });

  test("they are never read as templates", () => {
    const template = compileTemplate("{{ rule_name }}|#{ip}", "text");
    fc.assert(
      fc.property(arbitrary, (given) => {
        const shown = [given.rule_name, given.public_ip].map((value) => value.toWellFormed());
        expect(template.render(given)).toBe(shown.join("|"));
      }),
    );
  });

  test("a URL keeps its shape and a form its fields", () => {
    const url = compileTemplate("http://h/{{ rule_name }}?a={{ public_ip }}&b=1", "url");
    const form = compileTemplate("a={{ rule_name }}&b={{ public_ip }}", "form");
    fc.assert(
      fc.property(arbitrary, (given) => {
        const made = new URL(url.render(given));
        expect([...made.searchParams.keys()]).toEqual(["a", "b"]);
        expect(made.searchParams.get("a")).toBe(given.public_ip.toWellFormed());
        expect(made.host).toBe("h");
        const fields = [...new URLSearchParams(form.render(given))];
        expect(fields).toEqual([
          ["a", given.rule_name.toWellFormed()],
          ["b", given.public_ip.toWellFormed()],
        ]);
      }),
    );
  });

  test("a header has one line or is not made", () => {
    const headers = parseHeadersText("X-Name: {{ rule_name | raw }}");
    fc.assert(
      fc.property(arbitrary, (given) => {
        const isClean = !/[\x00-\x08\x0a-\x1f\x7f]/.test(given.rule_name);
        const made = attempt(() => renderHeaders(headers, given)["X-Name"]);
        expect(made).toBe(isClean ? given.rule_name.toWellFormed() : TemplateError);
      }),
    );
  });

  test("a text without names is left as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (plain) => {
        fc.pre(!plain.includes("{{") && !/#\{\s*[a-z]/i.test(plain));
        expect(render(plain)).toBe(plain);
      }),
    );
  });
});

describe("headers as text", () => {
  test("are one a line, blank lines aside, with templates in their values", () => {
    const headers = parseHeadersText(
      "Authorization: Bearer a:b\r\n\r\n  X-Port :{{ public_port }}  \nX-Empty:\n",
    );
    expect(renderHeaders(headers, values)).toEqual({
      Authorization: "Bearer a:b",
      "X-Port": "50234",
      "X-Empty": "",
    });
  });

  test.each<[string, RegExp]>([
    ["no colon", /^Line 1 is not "Name: value"/],
    ["X-A: 1\n: value", /^Line 2 is not/],
    ["X A: 1", /^Line 1 is not/],
    ["Naïve: 1", /^Line 1 is not/],
    ["Host: other", /^Line 1: the header Host cannot be set/],
    ["content-length: 3", /cannot be set/],
    ["Transfer-Encoding: chunked", /cannot be set/],
    ["Proxy-Authorization: x", /cannot be set/],
    ["Connection: upgrade", /cannot be set/],
    ["X-A: 1\nx-a: 2", /^Line 2: the header x-a is set twice/],
    ["X-A: {{ publicip }}", /^Line 1: .*did you mean public_ip/],
  ])("refuse %j", (text, message) => {
    expect(() => parseHeadersText(text)).toThrow(message);
    expect(() => parseHeadersText(text)).toThrow(TemplateError);
  });
});

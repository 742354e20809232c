import type { Static } from "typebox";
import * as Type from "typebox";

const diagnosisLimits = { servers: 16, serverLength: 300 } as const;

/** What a mapping or a filter depends on, in the words of RFC 4787; `none` without a NAT. */
const dependenceWords = [
  "endpoint_independent",
  "address_dependent",
  "address_and_port_dependent",
  "none",
  "unknown",
] as const;

export const StunDiagnosisBody = Type.Object(
  {
    transport: Type.Enum(["udp", "tcp"]),
    stun_servers: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: diagnosisLimits.serverLength }), {
        maxItems: diagnosisLimits.servers,
        description: "`host:port` each; empty or absent: those of the service",
      }),
    ),
  },
  { additionalProperties: false },
);
export type StunDiagnosisBody = Static<typeof StunDiagnosisBody>;

export const DiagnosedServer = Type.Object({
  server: Type.String({ description: "As it was named" }),
  rtt_ms: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
  public_ip: Type.Union([Type.String(), Type.Null()]),
  public_port: Type.Union([Type.Integer({ minimum: 1, maximum: 65_535 }), Type.Null()]),
  error: Type.Union([Type.String(), Type.Null()]),
});
export type DiagnosedServer = Static<typeof DiagnosedServer>;

export const StunDiagnosis = Type.Object({
  transport: Type.Enum(["udp", "tcp"]),
  mapping: Type.Enum([...dependenceWords], {
    description:
      "Whether the public port depends on who is spoken to. `address_dependent` also where nobody could tell whether the other side's port matters, too",
  }),
  filtering: Type.Enum([...dependenceWords], {
    description: "Who is let in from outside; UDP only, and only where a server can try it",
  }),
  hairpin: Type.Union([Type.Boolean(), Type.Null()], {
    description:
      "Whether the public address can be reached from inside; null when that could not be found out. It says nothing about the outside",
  }),
  public_ip: Type.Union([Type.String(), Type.Null()]),
  servers: Type.Array(DiagnosedServer),
  advice: Type.Array(Type.String(), { description: "Sentences for people" }),
});
export type StunDiagnosis = Static<typeof StunDiagnosis>;

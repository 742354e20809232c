import type { FastifyRequest } from "fastify";

/** For routes whose body says nothing that is needed: left out, it counts as an empty object. */
export async function bodyMayBeLeftOut(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}

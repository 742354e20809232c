import type { Answer, Client } from "./client.ts";
import { SETUP_SECRET } from "./service.ts";

export const PASSWORD = "a good password";
export const ADMIN = "admin@example.com";

/** Sets the system up. @returns the administrator's session token */
export async function setUp(client: Client): Promise<string> {
  const answer = await client.request("POST", "/api/system/initialize", {
    body: { jwt_secret: SETUP_SECRET, email: ADMIN, password: PASSWORD },
  });
  expectStatus(answer, 201);
  return logIn(client, ADMIN);
}

/** @returns the verification token */
export async function register(
  client: Client,
  email: string,
  password = PASSWORD,
): Promise<string> {
  const answer = await client.request("POST", "/api/auth/register", { body: { email, password } });
  expectStatus(answer, 201);
  return answer.body.verification_token as string;
}

/** Registers and verifies. @returns a session token */
export async function join(client: Client, email: string, password = PASSWORD): Promise<string> {
  const token = await register(client, email, password);
  expectStatus(await verify(client, token), 200);
  return logIn(client, email, password);
}

export function verify(client: Client, token: string): Promise<Answer> {
  return client.request("GET", `/api/auth/verify?token=${encodeURIComponent(token)}`);
}

/** @returns a session token */
export async function logIn(client: Client, email: string, password = PASSWORD): Promise<string> {
  const answer = await tryLogIn(client, email, password);
  expectStatus(answer, 200);
  return answer.body.token as string;
}

export function tryLogIn(client: Client, email: string, password = PASSWORD): Promise<Answer> {
  return client.request("POST", "/api/auth/login", { body: { email, password } });
}

/** The status of the session: 200 while it holds, 401 afterwards. */
export async function sessionStatus(client: Client, token: string): Promise<number> {
  return (await client.request("GET", "/api/auth/me", { token })).status;
}

/** The id of an account, by its address. */
export async function idOf(client: Client, adminToken: string, email: string): Promise<number> {
  const { body } = await client.request("GET", "/api/admin/users", { token: adminToken });
  const user = (body.users as { id: number; email: string }[]).find((each) => each.email === email);
  if (!user) throw new Error(`${email} has no account`);
  return user.id;
}

/** The statuses of simultaneous requests, of which any may come first. */
export function sortedStatuses(answers: readonly Answer[]): number[] {
  return answers.map((each) => each.status).toSorted((a, b) => a - b);
}

function expectStatus(answer: Answer, status: number): void {
  if (answer.status !== status) {
    throw new Error(`${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`);
  }
}

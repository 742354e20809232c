import { JWT_SECRET } from "./processes.ts";

const account = { email: "admin@example.org", password: "a password of the benchmark" };

export interface LogInStorm {
  /** Begins to log in `perSecond` times a second; `stop` tells how often it succeeded. */
  start(perSecond: number): { stop(): Promise<number> };
}

/** Sets the system up and prepares a storm of log-ins. */
export async function logInAgainAndAgain(origin: string): Promise<LogInStorm> {
  const initialized = await post(origin, "/api/system/initialize", {
    jwt_secret: JWT_SECRET,
    ...account,
  });
  if (initialized !== 201) throw new Error(`initialize answered ${initialized}`);
  return {
    start: (perSecond) => {
      const open: Promise<number>[] = [];
      const timer = setInterval(
        () => open.push(post(origin, "/api/auth/login", account)),
        1000 / perSecond,
      );
      return {
        stop: async () => {
          clearInterval(timer);
          const statuses = await Promise.all(open);
          return statuses.filter((status) => status === 200).length;
        },
      };
    },
  };
}

async function post(origin: string, path: string, body: unknown): Promise<number> {
  const answer = await fetch(origin + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
  return answer.status;
}

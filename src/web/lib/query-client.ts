import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";

const STALE_MS = 10_000;
const RETRIES = 2;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (failures, error) => failures < RETRIES && mayPass(error),
        // A browser that believes to be offline may still reach a service at home.
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}

/** Whether the same request may succeed a moment later. */
function mayPass(error: Error): boolean {
  return !(error instanceof ApiError) || error.status >= 500;
}

import { useQuery } from "@tanstack/react-query";
import type { SystemInfo } from "../../shared/api/system.ts";
import { useApi } from "./services.tsx";

export const SYSTEM_INFO_KEY = ["system", "info"] as const;

/** What runs here, and whether it is set up; once it is, it stays so. */
export function useSystemInfo() {
  const api = useApi();
  return useQuery({
    queryKey: SYSTEM_INFO_KEY,
    queryFn: ({ signal }) => api.get<SystemInfo>("/api/system/info", {}, signal),
    staleTime: ({ state }) => (state.data?.initialized === true ? Infinity : 0),
  });
}

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { InitializeAnswer, InitializeInput, SystemInfo } from "../../shared/api/system.ts";
import type { LoginAnswer } from "../../shared/api/users.ts";
import { useServices } from "../lib/services.tsx";
import { SYSTEM_INFO_KEY } from "../lib/system-info.ts";

/** Makes the administrator and signs in as it. */
export function useSetUp() {
  const { api, sessions } = useServices();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: InitializeInput) => {
      await api.post<InitializeAnswer>("/api/system/initialize", input);
      const { email, password } = input;
      return api.post<LoginAnswer>("/api/auth/login", { email, password });
    },
    onSuccess: (answer) => {
      sessions.begin(answer);
      client.setQueryData<SystemInfo>(
        SYSTEM_INFO_KEY,
        (info) => info && { ...info, initialized: true },
      );
    },
  });
}

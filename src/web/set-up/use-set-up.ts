import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { InitializeAnswer, InitializeInput } from "../../shared/api/system.ts";
import type { LoginAnswer } from "../../shared/api/users.ts";
import { pagePaths } from "../../shared/pages.ts";
import { useServices } from "../lib/services.tsx";
import { SYSTEM_INFO_KEY } from "../lib/system-info.ts";

/** Makes the administrator, signs in as it and leads on. */
export function useSetUp() {
  const { api, sessions } = useServices();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: async (input: InitializeInput) => {
      await api.post<InitializeAnswer>("/api/system/initialize", input);
      const { email, password } = input;
      const answer = await api.post<LoginAnswer>("/api/auth/login", { email, password });
      // At once: the page for administrators needs the session, this one has nothing to show with it.
      sessions.begin(answer);
      navigate(pagePaths.checklist, { replace: true });
      await client.invalidateQueries({ queryKey: SYSTEM_INFO_KEY });
    },
  });
}

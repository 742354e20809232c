import { useMutation, useQuery } from "@tanstack/react-query";
import type { MessageBody } from "../../shared/api/common.ts";
import type {
  ChangePasswordInput,
  LoginAnswer,
  LoginInput,
  Me,
  RegisterAnswer,
  RegisterInput,
  ResetPasswordInput,
} from "../../shared/api/users.ts";
import { useApi, useServices } from "../lib/services.tsx";

export function useSignUp() {
  const api = useApi();
  return useMutation({
    mutationFn: (input: RegisterInput) => api.post<RegisterAnswer>("/api/auth/register", input),
  });
}

export function useSignIn() {
  const { api, sessions } = useServices();
  return useMutation({
    mutationFn: (input: LoginInput) => api.post<LoginAnswer>("/api/auth/login", input),
    onSuccess: (answer) => sessions.begin(answer),
  });
}

export function useVerify() {
  const api = useApi();
  return useMutation({
    mutationFn: (token: string) => api.get<MessageBody>("/api/auth/verify", { token }),
  });
}

/** Asks for a mail; the answer is the same whether or not the address has an account. */
export function useAskForMail(path: "forgot-password" | "resend-verification") {
  const api = useApi();
  return useMutation({
    mutationFn: (email: string) => api.post<MessageBody>(`/api/auth/${path}`, { email }),
  });
}

export function useResetPassword() {
  const api = useApi();
  return useMutation({
    mutationFn: (input: ResetPasswordInput) =>
      api.post<MessageBody>("/api/auth/reset-password", input),
  });
}

export function useMe() {
  const api = useApi();
  return useQuery({
    queryKey: ["accounts", "me"],
    queryFn: ({ signal }) => api.get<Me>("/api/auth/me", {}, signal),
  });
}

/** Every session ends with the old password; this browser begins one with the new. */
export function useChangePassword(email: string) {
  const { api, sessions } = useServices();
  return useMutation({
    mutationFn: async (input: ChangePasswordInput) => {
      await api.post<MessageBody>("/api/auth/change-password", input);
      const body: LoginInput = { email, password: input.new_password };
      sessions.begin(await api.post<LoginAnswer>("/api/auth/login", body));
    },
  });
}

export function useSignOutEverywhere() {
  const { api, sessions } = useServices();
  return useMutation({
    mutationFn: () => api.post<MessageBody>("/api/auth/logout-everywhere", {}),
    onSuccess: () => sessions.finish("signed_out"),
  });
}

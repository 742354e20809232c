import { Redirect, useSearchParams } from "wouter";
import { addressAfterSignIn } from "../app/sign-in-address.ts";
import { useSession } from "../lib/services.tsx";
import { SignInCard } from "./sign-in-card.tsx";

/** The way in, which leads on to where one wanted to go. */
export function SignInPage() {
  const [params] = useSearchParams();
  const session = useSession();
  if (session) return <Redirect to={addressAfterSignIn(params.get("next"))} replace />;
  return <SignInCard />;
}

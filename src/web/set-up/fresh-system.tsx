import { useEffect } from "react";
import { useLocation } from "wouter";
import { pagePaths } from "../../shared/pages.ts";
import { useSystemInfo } from "../lib/system-info.ts";

const doors: readonly string[] = [pagePaths.status, pagePaths.signIn, pagePaths.signUp];

/** Leads whoever comes to a system that has no administrator yet to its set-up. */
export function FreshSystem() {
  const [path, navigate] = useLocation();
  const isDoor = doors.includes(path);
  const { data } = useSystemInfo();
  const isFresh = data?.initialized === false;
  useEffect(() => {
    if (isDoor && isFresh) navigate(pagePaths.setUp, { replace: true });
  }, [isDoor, isFresh, navigate]);
  return null;
}

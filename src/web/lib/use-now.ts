import { useEffect, useState } from "react";
import { now } from "./clock.ts";

/** The time, renewed every `everyMs`. */
export function useNow(everyMs: number): number {
  const [time, setTime] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setTime(now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return time;
}

import { createContext, useContext, useSyncExternalStore } from "react";
import type { Api } from "./api.ts";
import type { Arrivals } from "./arrivals.ts";
import type { EventStream } from "./event-stream.ts";
import type { PageHistory } from "./page-history.ts";
import type { ServiceWords } from "./service-words.ts";
import type { Session, SessionKeeper } from "./session.ts";

/** What pages reach the service through; made once, in main.tsx. */
export interface Services {
  api: Api;
  sessions: SessionKeeper;
  events: EventStream;
  pages: PageHistory;
  arrivals: Arrivals;
  said: ServiceWords;
}

export const ServicesContext = createContext<Services | undefined>(undefined);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error("There is no ServicesContext around this component");
  return services;
}

export function useApi(): Api {
  return useServices().api;
}

/** Who is signed in; undefined: nobody. */
export function useSession(): Session | undefined {
  const { sessions } = useServices();
  return useSyncExternalStore(sessions.subscribe, sessions.current);
}

import { pagePaths } from "../../shared/pages.ts";
import { pageAddress } from "../lib/page-address.ts";
import type { SystemState } from "./checklist.ts";

export type StepName = "node" | "report" | "rule" | "account" | "task" | "mail" | "address";

export interface Step {
  name: StepName;
  isDone: boolean;
  /** Where it is done. */
  href: string;
}

/** What is sensible to do with a fresh system, in this order. */
export function toSteps(state: SystemState): Step[] {
  return [
    { name: "node", isDone: state.hasNode, href: pagePaths.newNode },
    { name: "report", isDone: state.hasReport, href: pagePaths.myNodes },
    { name: "rule", isDone: state.rules.length > 0, href: pagePaths.newStunRule },
    { name: "account", isDone: state.accounts.length > 0, href: pagePaths.newCallbackAccount },
    { name: "task", isDone: state.tasks.length > 0, href: pagePaths.newCallbackTask },
    { name: "mail", isDone: state.mailIsSet, href: toSetting("SMTP_URL") },
    { name: "address", isDone: state.isPublic, href: toSetting("PUBLIC_URL") },
  ];
}

function toSetting(search: string): string {
  return pageAddress("settings", undefined, { search });
}

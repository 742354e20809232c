import type { ComponentType } from "react";
import { pagePaths, type PageName } from "../../shared/pages.ts";
import type { Feature } from "../locales/words.ts";

/** Where a page stands in the navigation. */
export type Section = "main" | "mine" | "registry" | "holes" | "callbacks" | "system";

export interface Page {
  name: PageName;
  path: string;
  access: "everyone" | "user" | "administrator";
  /** The words it needs, loaded together with it. */
  words: readonly Feature[];
  load: () => Promise<ComponentType>;
  /** Needs no more styles of the component library than base-styles.ts has. */
  lean?: boolean;
  section?: Section;
}

type Rest = Omit<Page, "name" | "path">;

function page(name: PageName, rest: Rest): Page {
  return { name, path: pagePaths[name], ...rest };
}

/**
 * Every page, in the order of the navigation, where those with a `section` stand. A path with
 * `new` comes before the one with an id in its place.
 */
export const pages: readonly Page[] = [
  page("status", {
    access: "everyone",
    words: ["status"],
    lean: true,
    section: "main",
    load: async () => (await import("../status/status-page.tsx")).StatusPage,
  }),
  page("node", {
    access: "everyone",
    words: ["status"],
    lean: true,
    load: async () => (await import("../status/node-page.tsx")).NodePage,
  }),
  page("find", {
    access: "everyone",
    words: ["find"],
    lean: true,
    section: "main",
    load: async () => (await import("../find/find-page.tsx")).FindPage,
  }),
  page("signIn", {
    access: "everyone",
    words: ["accounts"],
    load: async () => (await import("../accounts/sign-in-page.tsx")).SignInPage,
  }),
  page("signUp", {
    access: "everyone",
    words: ["accounts"],
    load: async () => (await import("../accounts/sign-up-page.tsx")).SignUpPage,
  }),
  page("verify", {
    access: "everyone",
    words: ["accounts"],
    load: async () => (await import("../accounts/verify-page.tsx")).VerifyPage,
  }),
  page("forgotPassword", {
    access: "everyone",
    words: ["accounts"],
    load: async () => (await import("../accounts/forgot-password-page.tsx")).ForgotPasswordPage,
  }),
  page("resetPassword", {
    access: "everyone",
    words: ["accounts"],
    load: async () => (await import("../accounts/reset-password-page.tsx")).ResetPasswordPage,
  }),
  page("profile", {
    access: "user",
    words: ["accounts"],
    load: async () => (await import("../accounts/profile-page.tsx")).ProfilePage,
  }),
  page("setUp", {
    access: "everyone",
    words: ["set-up", "accounts"],
    load: async () => (await import("../set-up/set-up-page.tsx")).SetUpPage,
  }),
  page("myNodes", {
    access: "user",
    words: ["my-nodes"],
    section: "mine",
    load: async () => (await import("../my-nodes/my-nodes-page.tsx")).MyNodesPage,
  }),
  page("newNode", {
    access: "user",
    words: ["my-nodes"],
    load: async () => (await import("../my-nodes/new-node-page.tsx")).NewNodePage,
  }),
  page("myNode", {
    access: "user",
    words: ["my-nodes"],
    load: async () => (await import("../my-nodes/my-node-page.tsx")).MyNodePage,
  }),
  page("editNode", {
    access: "user",
    words: ["my-nodes"],
    load: async () => (await import("../my-nodes/edit-node-page.tsx")).EditNodePage,
  }),
  page("checklist", {
    access: "administrator",
    words: ["admin"],
    section: "registry",
    load: async () => (await import("../admin/checklist-page.tsx")).ChecklistPage,
  }),
  page("users", {
    access: "administrator",
    words: ["admin"],
    section: "registry",
    load: async () => (await import("../admin/users-page.tsx")).UsersPage,
  }),
  page("allNodes", {
    access: "administrator",
    words: ["admin", "my-nodes"],
    section: "registry",
    load: async () => (await import("../admin/all-nodes-page.tsx")).AllNodesPage,
  }),
  page("stunRules", {
    access: "administrator",
    words: ["stun"],
    section: "holes",
    load: async () => (await import("../stun/rules-page.tsx")).RulesPage,
  }),
  page("newStunRule", {
    access: "administrator",
    words: ["stun", "editing"],
    load: async () => (await import("../stun/new-rule-page.tsx")).NewRulePage,
  }),
  page("stunRule", {
    access: "administrator",
    words: ["stun", "editing", "callback-runs"],
    load: async () => (await import("../stun/rule-page.tsx")).RulePage,
  }),
  page("editStunRule", {
    access: "administrator",
    words: ["stun", "editing"],
    load: async () => (await import("../stun/edit-rule-page.tsx")).EditRulePage,
  }),
  page("diagnosis", {
    access: "administrator",
    words: ["diagnosis", "editing"],
    section: "holes",
    load: async () => (await import("../diagnosis/diagnosis-page.tsx")).DiagnosisPage,
  }),
  page("callbackAccounts", {
    access: "administrator",
    words: ["callback-accounts"],
    section: "callbacks",
    load: async () => (await import("../callbacks/accounts-page.tsx")).AccountsPage,
  }),
  page("newCallbackAccount", {
    access: "administrator",
    words: ["callback-accounts", "editing"],
    load: async () => (await import("../callbacks/new-account-page.tsx")).NewAccountPage,
  }),
  page("callbackAccount", {
    access: "administrator",
    words: ["callback-accounts", "editing"],
    load: async () => (await import("../callbacks/account-page.tsx")).AccountPage,
  }),
  page("callbackTasks", {
    access: "administrator",
    words: ["callback-tasks", "callback-runs", "editing"],
    section: "callbacks",
    load: async () => (await import("../callbacks/tasks-page.tsx")).TasksPage,
  }),
  page("newCallbackTask", {
    access: "administrator",
    words: ["callback-tasks", "editing"],
    load: async () => (await import("../callbacks/new-task-page.tsx")).NewTaskPage,
  }),
  page("callbackTask", {
    access: "administrator",
    words: ["callback-tasks", "callback-runs", "editing"],
    load: async () => (await import("../callbacks/task-page.tsx")).TaskPage,
  }),
  page("callbackRuns", {
    access: "administrator",
    words: ["callback-runs"],
    section: "callbacks",
    load: async () => (await import("../callbacks/runs-page.tsx")).RunsPage,
  }),
  page("callbackRun", {
    access: "administrator",
    words: ["callback-runs"],
    load: async () => (await import("../callbacks/run-page.tsx")).RunPage,
  }),
  page("domainAccounts", {
    access: "administrator",
    words: ["domains"],
    section: "callbacks",
    load: async () => (await import("../domains/domains-page.tsx")).DomainsPage,
  }),
  page("newDomainAccount", {
    access: "administrator",
    words: ["domains", "editing"],
    load: async () => (await import("../domains/new-domain-page.tsx")).NewDomainPage,
  }),
  page("domainAccount", {
    access: "administrator",
    words: ["domains", "editing"],
    load: async () => (await import("../domains/domain-page.tsx")).DomainPage,
  }),
  page("publications", {
    access: "administrator",
    words: ["publications"],
    section: "registry",
    load: async () => (await import("../publications/publications-page.tsx")).PublicationsPage,
  }),
  page("newPublication", {
    access: "administrator",
    words: ["publications", "editing", "find"],
    load: async () => (await import("../publications/new-publication-page.tsx")).NewPublicationPage,
  }),
  page("publication", {
    access: "administrator",
    words: ["publications", "editing", "find"],
    load: async () => (await import("../publications/publication-page.tsx")).PublicationPage,
  }),
  page("audit", {
    access: "administrator",
    // Fields are called as on their forms.
    words: [
      "admin",
      "my-nodes",
      "stun",
      "callback-accounts",
      "callback-tasks",
      "domains",
      "publications",
      "find",
    ],
    section: "system",
    load: async () => (await import("../admin/audit-page.tsx")).AuditPage,
  }),
  page("settings", {
    access: "administrator",
    words: ["settings"],
    section: "system",
    load: async () => (await import("../admin/settings-page.tsx")).SettingsPage,
  }),
];

export function findPage(name: PageName): Page | undefined {
  return pages.find((each) => each.name === name);
}

/**
 * The pages of the web app, by what they show. The service answers each of these paths with the
 * app, mails link to them; the app itself says what stands on them (src/web/app/pages.ts).
 */
export const pagePaths = {
  status: "/",
  node: "/nodes/:id",
  find: "/find",
  signUp: "/sign-up",
  verify: "/verify",
  signIn: "/sign-in",
  forgotPassword: "/forgot-password",
  resetPassword: "/reset-password",
  profile: "/profile",
  setUp: "/set-up",
  myNodes: "/my/nodes",
  newNode: "/my/nodes/new",
  myNode: "/my/nodes/:id",
  editNode: "/my/nodes/:id/edit",
  checklist: "/admin",
  users: "/admin/users",
  allNodes: "/admin/nodes",
  stunRules: "/admin/stun",
  newStunRule: "/admin/stun/new",
  stunRule: "/admin/stun/:id",
  editStunRule: "/admin/stun/:id/edit",
  diagnosis: "/admin/diagnosis",
  callbackAccounts: "/admin/callbacks/accounts",
  newCallbackAccount: "/admin/callbacks/accounts/new",
  callbackAccount: "/admin/callbacks/accounts/:id",
  callbackTasks: "/admin/callbacks/tasks",
  newCallbackTask: "/admin/callbacks/tasks/new",
  callbackTask: "/admin/callbacks/tasks/:id",
  callbackRuns: "/admin/callbacks/runs",
  callbackRun: "/admin/callbacks/runs/:id",
  domainAccounts: "/admin/domains",
  newDomainAccount: "/admin/domains/new",
  domainAccount: "/admin/domains/:id",
  audit: "/admin/audit",
  settings: "/admin/settings",
} as const;

export type PageName = keyof typeof pagePaths;

/** The set-up of a fresh system. */
export const words = {
  title: "Set up Waypost",
  lead: "This service is new and has no administrator yet. Two steps, a minute at most.",
  failed: "The service could not be asked whether it is set up",
  next: "Continue",
  back: "Back",
  create: "Create the administrator",
  show: "Show or hide what is typed",
  already: {
    title: "This service is set up already",
    hint: "The set-up works once. To add an administrator, one of them can make you one.",
    signIn: "Sign in",
    toAdmin: "To the administration",
  },
  secret: {
    title: "Step 1 of 2: the set-up secret",
    lead: "It proves that this service is yours. You find it in one of these places:",
    printed: "in the output of the service: it was printed at the first start;",
    kept: "in the data folder, in the file <code>jwt-secret</code>;",
    chosen: "or you have chosen it yourself, as <code>WAYPOST_JWT_SECRET</code>.",
    label: "Set-up secret",
    missing: "Enter the set-up secret",
  },
  administrator: {
    title: "Step 2 of 2: the administrator",
    lead: "The account that may see and change everything. You are signed in with it at once.",
    email: "E-mail address",
    emailHint: "You sign in with it; no mail is sent to it now.",
    password: "Password",
  },
  strength: {
    weak: "Easy to guess: a longer one would be better.",
    fair: "Fair: another word would make it good.",
    good: "Hard to guess.",
  },
};

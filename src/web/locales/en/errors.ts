/** Refusals by the word in their `code`; English pages show the sentence of the service itself. */
export const words = {
  unreachable:
    "The service does not answer. Check that it runs and that you are connected, then try again.",
  unexpected: "Something went wrong on this page. Reload it and try again.",
  rateLimited: "Too many attempts; try again in {{seconds}} s",
  codes: {
    unauthorized: "Sign in first",
    wrong_credentials: "The address or the password is wrong",
    wrong_setup_secret: "This is not the set-up secret of this service",
    email_not_verified: "Confirm your e-mail address first",
    account_disabled: "This account is switched off; ask the administrator",
    forbidden: "You may not do this",
    already_registered: "This address has an account already; sign in",
    already_initialized: "The system is set up already; sign in",
    invalid_token: "This link has expired or was used already; ask for a new one",
    name_taken: "This name is taken",
    not_found: "It does not exist, or no longer",
    conflict: "Something else depends on this",
    last_administrator: "This is the last administrator",
    overloaded: "The service is busy; try again in a moment",
    storage_unavailable: "The storage does not answer now; try again soon",
    not_ready: "The service is not ready yet; try again soon",
    internal: "Something went wrong in the service; its log tells more",
  },
};

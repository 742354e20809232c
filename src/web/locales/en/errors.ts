/** What is said where the service says nothing. */
export const words = {
  unreachable:
    "The service does not answer. Check that it runs and that you are connected, then try again.",
  unexpected: "Something went wrong on this page. Reload it and try again.",
};

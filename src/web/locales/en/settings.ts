/** The settings of the service. */
export const words = {
  title: "Settings",
  lead: "What this instance was started with. To change a setting, set its environment variable and start the service again.",
  search: "Search by name, meaning or value",
  failed: "The settings could not be loaded",
  none: "No setting fits",
  noneHint: "Search for less, or show all of them.",
  showAll: "Show all",
  notSet: "Not set",
  secretSet: "Set; it is a secret and not shown",
  withoutSecret: "(shown without its secrets)",
  sources: {
    environment: "Environment",
    file: "From a file",
    dotEnv: ".env file",
    default: "Default",
    generated: "Generated",
  },
  groups: {
    service: "Service",
    storage: "Storage and secrets",
    mail: "Mail",
    checks: "Online checks",
    holes: "STUN rules",
    callbacks: "Callbacks",
    other: "Other",
  },
};

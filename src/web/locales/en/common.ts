/** What several features say. */
export const words = {
  retry: "Try again",
  cancel: "Cancel",
  close: "Close",
  copy: "Copy: {{what}}",
  copied: "Copied",
  failed: "The browser did not allow copying; select the text instead",
  usedOf: "{{used}} of {{limit}} ({{share}})",
  secretOnce: "Copy this now: it is shown only once",
  typeName: "To confirm, type {{name}}",
  uptime: "Up {{share}} of the time",
  uptimeUnknown: "No reports in this time",
  history: { bandwidth: "Bandwidth", connections: "Connections", traffic: "Traffic" },
  range: { label: "Time range", "24h": "24 hours", "30d": "30 days", "1y": "1 year" },
  nodeStatus: {
    online: "Online",
    offline: "Offline",
    expired: "Expired",
    disabled: "Switched off",
  },
  unsaved: {
    title: "Leave without saving?",
    what: "What you have changed on this page is not saved.",
    leave: "Leave",
    stay: "Stay here",
  },
  chart: {
    none: "There is nothing to draw yet.",
    latest: "Latest: {{value}}",
    table: "Show as a table",
    time: "Time",
  },
};

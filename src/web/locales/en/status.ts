/** The public status page. */
export const words = {
  title: "Status of the nodes",
  lead: "Which nodes are up, and how busy they are right now.",
};

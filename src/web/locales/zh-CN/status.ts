import type { words as english } from "../en/status.ts";
import type { Translated } from "../words.ts";

export const words: Translated<typeof english> = {
  title: "节点状态",
  lead: "哪些节点在线，以及它们当前的负载。",
};

import { Type } from "typebox";
import { nodeLimits } from "./nodes.ts";
import { queryPriorities, queryRegions } from "./query.ts";

const Flag = Type.Enum(["1", "0", "true", "false"], { default: "0" });

/** As in `POST /api/query`. Every parameter is optional; unknown ones are ignored. */
export const ConnectQuery = Type.Partial(
  Type.Object({
    redirect: Flag,
    region: Type.Enum([...queryRegions], { default: "all" }),
    priority: Type.Enum([...queryPriorities]),
    relay_only: Flag,
    tag: Type.String({ maxLength: nodeLimits.tagsLength }),
    transport: Type.String({ description: "A connection type, in any case" }),
    exclude: Type.String({
      description: "Ids of nodes that are not wanted, separated by commas",
      pattern: "^\\d{1,15}(,\\d{1,15})*$",
    }),
  }),
);

export const ConnectHeaders = Type.Partial(
  Type.Object({
    "x-network-name": Type.String({
      description: "Whose node this is: the same name gets the same node. It is not kept.",
    }),
  }),
);

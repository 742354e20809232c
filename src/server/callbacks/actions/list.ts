import type { AccountType } from "../../../shared/api/callbacks.ts";
import { nodeLimits } from "../../../shared/api/nodes.ts";
import type { Action } from "./action.ts";
import { aliyunEsa } from "./aliyun-esa.ts";
import { cloudflareOriginRule } from "./cloudflare-origin-rule.ts";
import { registryNode, type NodeDoor } from "./registry-node.ts";
import { tencentEdgeone } from "./tencent-edgeone.ts";
import { webhook } from "./webhook.ts";

export interface ActionParts {
  nodes: NodeDoor;
  /** Knows the domain accounts. */
  domainAccount: Action;
}

/** Every type of account. */
export function listActions(parts: ActionParts): ReadonlyMap<AccountType, Action> {
  const actions: Record<AccountType, Action> = {
    cloudflare_origin_rule: cloudflareOriginRule,
    aliyun_esa: aliyunEsa,
    tencent_edgeone: tencentEdgeone,
    webhook,
    domain_account: parts.domainAccount,
    registry_node: registryNode(parts.nodes, nodeLimits.connections),
  };
  return new Map(Object.entries(actions) as [AccountType, Action][]);
}

import type { Action } from "./actions/action.ts";
import { aliyunEsa } from "./actions/aliyun-esa.ts";
import { cloudflareOriginRule } from "./actions/cloudflare-origin-rule.ts";
import { tencentEdgeone } from "./actions/tencent-edgeone.ts";
import { webhook } from "./actions/webhook.ts";

/** What callback accounts can do; those that need other parts of the service are added to it. */
export const actionTypes: readonly Action[] = [
  cloudflareOriginRule,
  aliyunEsa,
  tencentEdgeone,
  webhook,
];

import { pagePaths } from "../../shared/pages.ts";

export function toNodePath(id: number): string {
  return pagePaths.myNode.replace(":id", String(id));
}

export function toEditPath(id: number): string {
  return pagePaths.editNode.replace(":id", String(id));
}

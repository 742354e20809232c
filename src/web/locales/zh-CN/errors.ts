import type { words as english } from "../en/errors.ts";
import type { Translated } from "../words.ts";

export const words: Translated<typeof english> = {
  unreachable: "服务没有响应。请确认服务正在运行且网络已连接，然后重试。",
  unexpected: "此页面出了问题。请重新加载后再试。",
};

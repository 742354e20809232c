import type { words as english } from "../en/settings.ts";
import type { Translated } from "../words.ts";

export const words: Translated<typeof english> = {
  title: "设置",
  lead: "此实例启动时使用的设置。如需更改，请设置相应的环境变量并重启服务。",
  search: "按名称、说明或值搜索",
  failed: "无法加载设置",
  none: "没有符合条件的设置",
  noneHint: "请缩短搜索内容，或显示全部。",
  showAll: "显示全部",
  notSet: "未设置",
  secretSet: "已设置；属于机密，不予显示",
  withoutSecret: "（已隐去其中的机密）",
  sources: {
    environment: "环境变量",
    file: "来自文件",
    dotEnv: ".env 文件",
    default: "默认值",
    generated: "自动生成",
  },
  groups: {
    service: "服务",
    storage: "存储与密钥",
    mail: "邮件",
    checks: "在线检查",
    holes: "STUN 规则",
    callbacks: "回调",
    other: "其他",
  },
};

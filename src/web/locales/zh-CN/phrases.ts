import type { words as english } from "../en/phrases.ts";
import type { Translated } from "../words.ts";

export const words: Translated<typeof english> = {
  retry: "重试",
  cancel: "取消",
  close: "关闭",
  copy: "复制：{{what}}",
  showPassword: "显示密码",
  copied: "已复制",
  failed: "浏览器不允许复制，请手动选择文本",
  usedOf: "{{used}} / {{limit}}（{{share}}）",
  secretOnce: "请立即复制：此内容仅显示一次",
  naming: "{{what}}：{{name}}",
  typeName: "请输入 {{name}} 以确认",
  uptime: "在线时间占 {{share}}",
  uptimeUnknown: "此期间没有上报",
  history: { bandwidth: "带宽", connections: "连接数", traffic: "流量" },
  range: { label: "时间范围", "24h": "24 小时", "30d": "30 天", "1y": "1 年" },
  nodeStatus: {
    online: "在线",
    offline: "离线",
    expired: "已过期",
    disabled: "已停用",
  },
  unsaved: {
    title: "不保存就离开？",
    what: "您在此页面所做的更改尚未保存。",
    leave: "离开",
    stay: "留在此页",
  },
  elsewhere: {
    title: "打开此页后，内容已在别处更改",
    what: "保存时只提交您在此处更改的内容，其余保持当前的值。",
    load: "重新加载",
    ask: "不保存就重新加载？",
  },
  chart: {
    none: "暂无可绘制的数据。",
    latest: "最新：{{value}}",
    table: "以表格显示",
    time: "时间",
  },
};

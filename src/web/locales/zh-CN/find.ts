import type { words as english } from "../en/find.ts";
import type { Translated } from "../words.ts";

export const words: Translated<typeof english> = {
  title: "查找节点",
  lead: "与客户端的查询方式相同：优先返回仍有余量的节点，因此请在需要时再查询。",
  wish: {
    title: "您的需求",
    region: "区域",
    regions: { all: "不限", domestic: "境内", overseas: "境外" },
    priority: "优先考虑",
    balanced: "综合均衡",
    priorities: {
      traffic: "剩余流量",
      bandwidth: "剩余带宽",
      latency: "低延迟",
    },
    transport: "传输协议",
    anyTransport: "不限",
    tag: "标签",
    limit: "数量",
    limitWrong: "请输入 {{least}} 至 {{most}} 的整数",
    relay: "仅中继节点",
    search: "查找",
  },
  none: {
    title: "目前没有合适的节点",
    todo: "请放宽条件：更换区域、传输协议，或不限标签。离线或配额用尽的节点不会被返回。",
    excluded: "其他节点已被您排除。点击“查找”重新开始。",
  },
  found: {
    title_other: "为您找到 {{number}} 个节点",
    best: "最佳选择",
    refuse: "换一个",
    refuseOf: "换一个：不要 {{name}}",
    address: "对等地址 {{url}}",
  },
  why: {
    bandwidth: "已用 {{tier}} 的 {{share}}",
    bandwidthUnknown: "正在使用 {{used}}",
    traffic: "本周期剩余 {{left}}，共 {{quota}}",
    trafficUnlimited: "流量不限",
    connections: "{{used}} / {{limit}} 个连接",
    connectionsUnlimited: "{{used}} 个连接，不限数量",
    relay: "为他人转发流量",
    tags: "标签：{{tags}}",
  },
  direct: {
    title: "无需每次查询",
    lead: "能够从 HTTP 应答中读取对等地址的客户端可以直接使用此地址：它以相同的方式选出并返回一个节点。",
    label: "返回节点的地址",
  },
};

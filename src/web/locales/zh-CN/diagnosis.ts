import type { words as english } from "../en/diagnosis.ts";
import type { Translated } from "../words.ts";

export const words: Translated<typeof english> = {
  title: "NAT 诊断",
  lead: "检测路由器 NAT（让多台设备共用一个公网地址的机制）如何处理本机的流量，以及 STUN 规则能否在此工作。",
  question: "诊断内容",
  transport: "传输协议",
  transportHint: "您希望对外提供的服务所使用的协议。",
  ownServers: "使用其他 STUN 服务器",
  servers: "STUN 服务器",
  serversHint: "每行一个“主机:端口”。留空使用服务的列表。至少两台，并由不同运营方提供。",
  start: "开始诊断",
  running: "正在询问服务器……",
  runningWhat: "将从多个端口询问多台服务器，最长约需 20 秒。",
  failed: "诊断未能完成",
  result: "{{transport}} 诊断结果",
  asJson: "JSON 格式的结果",
  advice: "建议",
  server: "服务器",
  seen: "看到的地址",
  rtt: "往返时间",
  noAnswer: "无应答",
  verdict: {
    open: {
      title: "中间没有 NAT",
      what: "本机直接拥有公网地址，{{transport}} 规则可以使用，只需注意防火墙是否放行。",
    },
    good: {
      title: "可以打洞",
      what: "NAT 对所有目标使用同一公网端口，{{transport}} 规则可以得到对所有人都有效的地址。",
    },
    filtered: {
      title: "可以打洞，但陌生来访会被拦截",
      what: "公网端口对所有目标相同，但路由器只放行您主动联系过的来源。请在路由器上设置端口转发，或将 NAT 类型设为全锥形。",
    },
    doubtful: {
      title: "应答不足",
      what: "应答的服务器太少，无法判断端口是否对所有目标相同。请再添加一台由其他运营方提供的服务器。",
    },
    bad: {
      title: "无法打洞",
      what: "NAT 为每个目标分配不同的公网端口，因此没有对所有人都有效的 {{transport}} 地址。请将路由器 NAT 类型设为全锥形、设置端口转发，或使用 IPv6。",
    },
    silent: {
      title: "没有服务器应答",
      what: "无法判断 NAT 的行为。请检查本机是否联网、{{transport}} 出站是否放行，或更换服务器。",
    },
  },
  picture: {
    machine: "本机",
    nat: "NAT",
    noNat: "互联网（无 NAT）",
    seenBy: "由 {{server}} 看到",
    said: "本机的公网地址为 {{ip}}，各服务器看到的端口：{{ports}}",
  },
  mapping: {
    title: "映射：公网端口对所有人相同吗？",
    endpoint_independent: {
      word: "相同",
      means: "端点无关映射，即锥形 NAT，正是规则所需要的。",
    },
    address_dependent: {
      word: "不同，随对方地址变化",
      means: "地址相关映射：每台主机看到的端口都不同。",
    },
    address_and_port_dependent: {
      word: "不同，随对方地址和端口变化",
      means: "地址和端口相关映射，即对称型 NAT：每个连接的端口都不同。",
    },
    none: { word: "没有 NAT", means: "端口即本机端口。" },
    unknown: { word: "未知", means: "需要两台不同地址的服务器应答才能判断。" },
  },
  filtering: {
    title: "过滤：谁可以进来？",
    endpoint_independent: {
      word: "所有人",
      means: "洞打开期间，任何来访都能通过（全锥形）。",
    },
    address_dependent: {
      word: "仅限联系过的主机",
      means: "陌生来访会被拦截（受限锥形）。",
    },
    address_and_port_dependent: {
      word: "仅限联系过的主机和端口",
      means: "陌生来访会被拦截（端口受限锥形）。",
    },
    none: { word: "所有人", means: "途中没有过滤。" },
    unknown: { word: "未知", means: "这些服务器都无法测试；拥有两个地址的服务器可以。" },
    tcp: {
      word: "TCP 无法测试",
      means: "请从外部访问公网地址，例如用未连接您家 Wi-Fi 的手机。",
    },
  },
  hairpin: {
    title: "回环：在家能用公网地址吗？",
    yes: { word: "可以", means: "路由器会把流量引回内网，但这不代表外部可达。" },
    no: { word: "不可以", means: "在家请使用内网地址，并从外部测试。" },
    unknown: { word: "未知", means: "未能判断。" },
  },
};

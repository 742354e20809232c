import type { words as english } from "../en/shell.ts";
import type { Translated } from "../words.ts";

export const words: Translated<typeof english> = {
  skip: "跳到正文",
  menu: "菜单",
  api: "API 文档",
  signIn: "登录",
  signOut: "退出登录",
  account: "{{email}} 的账户",
  navigation: { main: "主导航", administration: "管理", overview: "概览" },
  scheme: {
    auto: "配色：跟随系统",
    light: "配色：浅色",
    dark: "配色：深色",
  },
  sections: {
    registry: "节点注册",
    holes: "内网穿透",
    callbacks: "回调",
    system: "系统",
  },
  pages: {
    status: "状态",
    find: "查找节点",
    profile: "个人资料",
    myNodes: "我的节点",
    checklist: "管理",
    users: "用户",
    allNodes: "节点",
    stunRules: "STUN 规则",
    diagnosis: "NAT 诊断",
    callbackAccounts: "账户",
    callbackTasks: "任务",
    callbackRuns: "运行历史",
    domainAccounts: "域名账户",
    publications: "DNS 节点列表",
    audit: "审计日志",
    settings: "设置",
  },
  notFound: {
    title: "页面不存在",
    what: "{{path}} 处没有页面",
    todo: "地址可能有误，或者它所指的内容已被删除。",
    action: "前往状态页",
  },
  notAllowed: {
    title: "仅限管理员",
    what: "您的账户无权查看此页面",
    todo: "管理员可以授予您管理员权限。",
  },
  broken: {
    title: "无法显示此页面",
    what: "此页面出了问题",
    todo: "服务可能在您打开页面之后更新过，重新加载通常可以解决。",
    action: "重新加载",
  },
};

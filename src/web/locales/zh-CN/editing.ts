import type { words as english } from "../en/editing.ts";
import type { Translated } from "../words.ts";

export const words: Translated<typeof english> = {
  save: "保存更改",
  edit: "编辑",
  advanced: "高级选项",
  state: { on: "已启用", off: "已停用" },
  secret: {
    kept: "已设置，末尾为 {{hint}}，无法查看原文。",
    replace: "替换",
    remove: "移除",
    emptyKeeps: "留空则保留已保存的值。",
    show: "显示输入的内容",
  },
  test: {
    ok: "测试通过",
    notOk: "测试未通过",
    details: "详细信息",
    action: "测试",
    unsaved: "请先保存更改，再进行测试。",
    running: "正在测试……最长可能需要 45 秒。",
  },
  check: {
    required: "此项必填",
    tooLong: "最多 {{most}} 个字符",
    wholeNumber: "请输入 {{least}} 到 {{most}} 之间的整数",
    number: "请输入 {{least}} 到 {{most}} 之间的数字",
    hostPortAlone: "请按“主机:端口”填写，例如 ns1.example.com:53",
    hostPort: "第 {{line}} 行：请按“主机:端口”填写，例如 stun.example.com:3478",
    twice: "第 {{line}} 行重复",
    tooMany: "最多 {{most}} 行",
    host: "请输入 IPv4 地址、IPv6 地址或域名",
    address: "请输入本机的 IPv4 或 IPv6 地址",
    url: "请输入以 http:// 或 https:// 开头的地址",
    word: "只能包含字母、数字、- 和 _",
    digits: "只能包含数字",
    noSpaces: "不能包含空格、换行或非 ASCII 字符",
    line: "第 {{line}} 行：{{message}}",
  },
};

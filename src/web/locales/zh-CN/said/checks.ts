import type { Said } from "./said.ts";

/** Whether nodes can be reached. */
export const checks: Said = {
  sentence: {
    "The name has no address": "该域名没有地址",
    "The name could not be resolved": "无法解析该域名",
    "The name could not be resolved in time": "解析该域名超时",
    "Timed out after {seconds} s": "{seconds} 秒后超时",
    "Timed out": "超时",
    "Connection refused": "连接被拒绝",
    "No route to the host": "没有通往该主机的路由",
    "No route to the network": "没有通往该网络的路由",
    "The host is down": "主机已关机",
    "The connection is not permitted": "不允许建立该连接",
    "The address cannot be dialled": "无法连接该地址",
    "Only IP addresses can be dialled": "只能连接 IP 地址",
    "Only IP addresses are checked": "只检测 IP 地址",
    "{kind@clause} addresses are not checked": "不检测 {kind} 地址",
    "The key in X-API-Key is wrong": "X-API-Key 中的密钥有误",
    "Send the key of the online checks in the header X-API-Key":
      "请在标头 X-API-Key 中发送在线检测的密钥",
    "Only 30 checks a minute are done for one caller": "每个调用方每分钟最多检测 30 次",
    "Too many checks are under way": "正在进行的检测过多",
    "The check could not be done": "无法进行检测",
    "Too many connections lead to this address": "指向此地址的连接过多",
    "Only TCP, WS and WSS connections are checked": "只检测 TCP、WS 和 WSS 连接",
    "Nodes are not checked: CHECK_INTERVAL_SECONDS is 0": "不检测节点：CHECK_INTERVAL_SECONDS 为 0",
    "Its first check is still to come": "尚未进行首次检测",
    "The check function {what@clause}": "检测函数{what}",
  },
  clause: {
    "is no check result": "不是检测结果",
    "is no list of check results": "不是检测结果的列表",
    "holds {results} results for {nodes} nodes": "对 {nodes} 个节点给出了 {results} 个结果",
    "did not answer within {seconds} s": "在 {seconds} 秒内没有响应",
    "cannot be reached": "无法访问",
    "is too large or no text": "过大或不是文本",
    "refuses the key that this service sends": "拒绝了本服务发送的密钥",
    "has the status {status}": "的状态为 {status}",
    "is busy; try again in {seconds} s": "繁忙，请在 {seconds} 秒后再试",
    "gave an answer that {flaw@clause}": "给出的响应{flaw}",
  },
};

import type { Said } from "./said.ts";

/** Why a request is refused: sessions, accounts, nodes, the system, HTTP. */
export const refusals: Said = {
  sentence: {
    "{path}: {flaw@sentence!}": "{path}：{flaw}",
    "{what@clause!}: {why@clause!}": "{what}：{why}",
    "{what@clause!}; try again in {seconds} s": "{what}，请在 {seconds} 秒后再试",
    "Too many attempts; try again in {seconds} s": "尝试次数过多，请在 {seconds} 秒后再试",
    "Too many people are logging in at this moment; try again": "当前登录人数过多，请重试",
    "Log in and send the header Authorization: Bearer <token>":
      "请先登录，并发送标头 Authorization: Bearer <token>",
    "The session has ended or is not valid; log in again": "会话已结束或无效，请重新登录",
    "The session has ended; log in again": "会话已结束，请重新登录",
    "The account of this session is gone": "此会话的账户已不存在",
    "Only an administrator may do this": "只有管理员可以执行此操作",
    "The e-mail address or the password is wrong": "邮箱地址或密码错误",
    "The current password is wrong": "当前密码错误",
    "An administrator has disabled this account": "此账户已被管理员停用",
    "Verify the e-mail address before logging in": "请先验证您的邮箱地址，再登录",
    "This e-mail address is registered already; log in": "此邮箱地址已注册，请直接登录",
    "The {kind@clause} token is wrong, used already or expired":
      "{kind}令牌有误、已被使用或已过期，请重新获取",
    "There is no account with this id": "没有此 ID 的账户",
    "This is the last administrator; make somebody else one first":
      "这是最后一位管理员，请先将其他人设为管理员",
    "jwt_secret is not the set-up secret of this service; it was shown at the first start":
      "这不是本服务的初始化密钥；密钥在首次启动时显示过",
    "The system is set up already; log in": "系统已完成初始化，请登录",
    "There is no node with this id": "没有此 ID 的节点",
    "The node belongs to somebody else": "该节点属于其他人",
    "You have a node named {name} already": "您已有名为 {name} 的节点",
    "The list has no node with this id": "列表中没有此 ID 的节点",
    "No node has this node_name and e-mail": "没有使用此名称和邮箱地址的节点",
    "The report token is not this node's; its owner can make a new one":
      "上报令牌不属于该节点；节点所有者可以生成新的令牌",
    "The node is past its valid_until date": "该节点已过有效期",
    "The nodes are being read again; send the report again": "正在重新读取节点，请重新上报",
    "Too many reports are waiting; send it again shortly": "等待处理的上报过多，请稍后重新上报",
    "The report could not be stored; send it again": "上报未能保存，请重新上报",
    "The storage does not answer; send the report again": "存储没有响应，请重新上报",
    "The storage does not answer now; try again soon": "存储暂时没有响应，请稍后再试",
    "No node is available that fits; try again shortly": "暂时没有符合条件的节点，请稍后再试",
    "The service is stopping": "服务正在停止",
    "Not ready: {why@clause}": "尚未就绪：{why}",
    "There are {count} readers of events already": "已有 {count} 个事件订阅者",
    "Something went wrong in the service; its log tells more under {id}":
      "服务内部出错，详情请在其日志中查找 {id}",
    "There is nothing at this path": "此路径不存在",
    "There is nothing with this id": "没有此 ID 的内容",
    "There is nothing with this name": "没有此名称的内容",
    "The path is not valid": "路径无效",
    "This path answers {methods}, not {method}": "此路径接受 {methods}，不接受 {method}",
    "The agent is not built; `npm run build:agent` builds it":
      "上报程序尚未构建，请运行 `npm run build:agent`",
    "The header Host is missing": "缺少标头 Host",
    "The caller left": "调用方已断开",
    "The request took too long to arrive": "请求传输时间过长",
    "The headers are larger than 16 KiB": "标头超过 16 KiB",
    "The body is larger than 64 KiB": "请求正文超过 64 KiB",
    "The chunk extensions of the body are too large": "请求正文的分块扩展过大",
    "The request is not valid HTTP": "请求不是有效的 HTTP",
    "The request is not valid": "请求无效",
    "The body is not as long as Content-Length says": "请求正文的长度与 Content-Length 不符",
    "Send the body as JSON, with the header Content-Type: application/json":
      "请以 JSON 发送请求正文，并带上标头 Content-Type: application/json",
    "The body is not valid UTF-8": "请求正文不是有效的 UTF-8",
    "The body is not valid JSON: {why@clause}": "请求正文不是有效的 JSON：{why}",
  },
  clause: {
    verification: "验证",
    reset: "重置",
    "it ends too early": "内容不完整",
    "unexpected {character} at line {line}, column {column}":
      "第 {line} 行第 {column} 列不应出现 {character}",
  },
};

import type { Said } from "./said.ts";

/** Callback accounts, tasks and runs. */
export const callbacks: Said = {
  sentence: {
    "{list@list!}": "{list}",
    "The account is used by these tasks: {names}": "以下任务正在使用该账户：{names}",
    "The account is still used by: {names}": "该账户仍被以下内容使用：{names}",
    "There is no callback account with this id": "没有此 ID 的回调账户",
    "There is no callback task with this id": "没有此 ID 的回调任务",
    "There is no run with this id": "没有此 ID 的运行",
    "There is a callback {kind@clause} named {name} already": "已有名为 {name} 的回调{kind}",
    "The account is gone": "账户已不存在",
    "The account of the task is gone": "任务的账户已不存在",
    "The task {name} is gone": "任务 {name} 已不存在",
    "The task was deleted": "任务已删除",
    "The task was switched off": "任务已停用",
    "The task was given another rule": "任务已关联到其他规则",
    "The run is {status@clause}: it is on its way already": "该次运行已在进行：{status}",
    "The run is finished: it {how@clause}": "该次运行已结束：{how}",
    "It was cancelled": "已被取消",
    "It was tried again by hand": "已手动重试",
    "A newer mapping has taken its place": "已被更新的映射取代",
    "A later run has delivered the mapping": "之后的运行已送达该映射",
    "The rule {name} has no live mapping; its status is {status@clause}":
      "规则 {name} 当前没有可用的映射，其状态为 {status}",
    "Nothing can be said: {why@clause}": "无法判断：{why}",
    "There was no result in {seconds} s": "{seconds} 秒内没有结果",
    "The service ended while this was under way; whether it reached the target is not known":
      "进行过程中服务已停止，不确定目标是否收到",
    "It was broken off while it was under way; whether it reached the target is not known":
      "进行过程中被中断，不确定目标是否收到",
    "A defect of this service; its log says more": "服务内部出错，详情请查看其日志",
    'The target answered {status} to an event "{event}"': "目标对事件“{event}”返回 {status}",
    'The target answered {status}, but {where@clause} does not contain "{text}"':
      "目标返回 {status}，但{where}不包含“{text}”",
    "A secret was sealed with the key {id}, which is not among the configured ones":
      "某个密钥是用主密钥 {id} 加密的，而该主密钥不在当前配置中",
    "A secret cannot be opened as {what}: it was changed or moved":
      "某个密钥无法作为 {what} 解密：它已被更改或移动",
    "This is no sealed secret": "这不是加密保存的密钥",
    "There is no node {id} any more": "节点 {id} 已不存在",
    "The node has {count} {transport} connections, and none is the one that was set before":
      "该节点有 {count} 个 {transport} 连接，但都不是之前设置的那个",
    "The node has {count} connections already: there is no room for another":
      "该节点已有 {count} 个连接，无法再添加",
    "Node {id} has {what@clause}": "节点 {id}：{what}",
    "{word} is no transport": "{word} 不是有效的传输协议",
    "{what@clause!} is {address@ports} now": "{what}已更新为 {address}",
    "{what@clause!} is {address@ports} already": "{what}已是 {address}",
    '{place@clause} is not "Name: value"': "{place}不是“名称: 值”的形式",
    "{place@clause}: the header {name} cannot be set": "{place}：不能设置标头 {name}",
    "{place@clause}: the header {name} is set twice": "{place}：标头 {name} 重复设置",
    "A header cannot hold line breaks and other control characters":
      "标头不能包含换行或其他控制字符",
    "{what@sentence!}; did you mean {meant@clause}?": "{what}；您是否想写 {meant}？",
    "{source} is unknown": "{source} 不存在",
    "{{ {name} }} is unknown": "{{ {name} }} 不存在",
    "{source} cannot be read: {{ name }} or {{ name | filter }} is expected":
      "无法识别 {source}：应为 {{ name }} 或 {{ name | filter }}",
    "The filter {name} is unknown; there are {filters}": "过滤器 {name} 不存在，可用的有 {filters}",
    "The filter default needs a text": "过滤器 default 需要一段文本",
    "The filter {name} takes no text": "过滤器 {name} 不接受文本",
    "A backslash stands before {source}": "{source} 之前有反斜杠",
    "{source} stands outside quotes, where JSON has no place for a text":
      "{source} 位于引号之外，JSON 在此处不允许出现文本",
    "The body is not JSON after substitution: {why}": "代入变量后正文不是 JSON：{why}",
  },
  clause: {
    account: "账户",
    task: "任务",
    queued: "排队中",
    running: "运行中",
    retrying: "等待重试",
    "has succeeded": "已成功",
    "had nothing to do": "无需处理",
    "has failed": "已失败",
    "was superseded": "已被取代",
    "was cancelled": "已被取消",
    "Line {number}": "第 {number} 行",
    '"{{ {name} }}" or {{ {again} | json }}': '"{{ {name} }}" 或 {{ {again} | json }}',
    "The {transport} connection of node {id}": "节点 {id} 的 {transport} 连接",
    "no {transport} connection yet": "尚无 {transport} 连接",
    "{transport} at {addresses@ports}": "{transport} 连接，{addresses}",
    "the answer": "响应",
    "the first MiB of the answer": "响应的前 1 MiB",
  },
  list: {
    "{one@list!}; {rest@list!}": "{one}；{rest}",
    "{one@list!}, {rest@list!}": "{one}，{rest}",
    "{name} {type}: {why@clause!}": "{name} {type}：{why}",
    "{name} {type}: {result@clause!} ({values})": "{name} {type}：{result}（{values}）",
    "{name} {type}: skipped, {why@clause}": "{name} {type}：已跳过，{why}",
    "{host}: {why@clause!}": "{host}：{why}",
    "{address} (by {server})": "{address}（来自 {server}）",
  },
};

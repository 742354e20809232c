import type { Said } from "./said.ts";

/** Domain accounts, their providers and DNS itself. */
export const domains: Said = {
  sentence: {
    "There is no domain account with this id": "没有此 ID 的域名账户",
    "There is no domain account with the id {id}": "没有 ID 为 {id} 的域名账户",
    "There is a domain account named {name} already": "已有名为 {name} 的域名账户",
    "{failed} of {count} records failed. {list@list}": "{count} 条记录中有 {failed} 条失败。{list}",
    "{provider@clause} holds records of type {types} only": "{provider} 只支持 {types} 类型的记录",
    "{provider} cannot be asked what it holds, so nothing could be withdrawn there":
      "无法查询 {provider} 当前的记录，因此无法撤回其中的内容",
    "{value} cannot be the value of the {type} record {name}":
      "{value} 不能作为 {type} 记录 {name} 的值",
    "{name} has a {type} record that is not ours ({values}), and clients may read that one: choose a name of its own, or remove the record":
      "{name} 有一条不属于我们的 {type} 记录（{values}），客户端可能会读取它：请另选名称，或删除该记录",
    "{named} of {count} nodes are named: clients read {bytes} bytes of text, and each URL once":
      "{count} 个节点中发布了 {named} 个：客户端最多读取 {bytes} 字节文本，且每个 URL 只读取一次",
    "There was no result in time": "没有及时得到结果",
    "There is no publication with this id": "没有此 ID 的发布",
    "The publication is being withdrawn": "正在撤回该发布",
    "It is being published right now; look again in a moment": "正在发布，请稍后再看",
    "is an account at {provider}, which cannot be asked what it holds: nothing could be withdrawn there":
      "是 {provider} 的账户，无法查询其当前记录，因此无法撤回其中的内容",
    "has a publication of this type at this account already": "在该账户下已有此类型的发布",
    "{name@clause!} {flaw@sentence!}": "{name} {flaw}",
    "{name} does not lie in {zone}": "{name} 不属于 {zone}",
    "An A record holds no IPv6 address": "A 记录不能存放 IPv6 地址",
    "An AAAA record holds no IPv4 address": "AAAA 记录不能存放 IPv4 地址",
    "IP4P holds no IPv6 address": "IP4P 不能存放 IPv6 地址",
    "The value {value} is not understood, so it is left alone": "无法识别值 {value}，因此不作更改",
    "The {type} record has {count} values ({values}), and none is the one that was published before: remove those that are not needed, or set one of them to the previous value":
      "{type} 记录有 {count} 个值（{values}），都不是之前发布的那个：请删除不需要的值，或将其中一个改为之前的值",
    "The provider accepted the change and still shows {shown@clause}":
      "服务商已接受更改，但仍显示 {shown}",
    "This service cannot be asked what it holds": "无法查询该服务当前的记录",
    "The key reads {zone}, which has {count} records. Whether it may edit them shows with the first write.":
      "密钥可以读取 {zone}，共有 {count} 条记录。能否修改，要到首次写入时才知道。",
    "The token reads the records of the zone. Whether it may edit them shows with the first write.":
      "令牌可以读取区域的记录。能否修改，要到首次写入时才知道。",
    "The token reads {zone}, whose shortest TTL is {seconds} s. Whether it may write shows with the first write.":
      "令牌可以读取 {zone}，其最短 TTL 为 {seconds} 秒。能否写入，要到首次写入时才知道。",
    "A web server answers there, with {status}. Whether the service takes {what@clause} shows with the first update: it cannot be asked.":
      "该地址有 Web 服务器应答，状态为 {status}。服务是否接受{what}，要到首次更新时才知道，无法事先查询。",
    "Duck DNS answered KO: the token is wrong, or the name is none of its account":
      "Duck DNS 返回 KO：令牌有误，或该名称不属于其账户",
    "{name} is no name such as home{suffix}: Duck DNS has no others":
      "{name} 不是 home{suffix} 这样的名称，Duck DNS 没有其他名称",
    "The service has stored {stored} instead of {address}":
      "该服务保存的是 {stored}，而不是 {address}",
    "The service answered {word}: it has a failure of its own": "该服务返回 {word}：它自身出现故障",
    "The service answered {word}: {why@clause}": "该服务返回 {word}：{why}",
    "The server holds the zone {zone}, and the key may change it":
      "服务器托管区域 {zone}，且密钥可以修改它",
    "The server does not hold the zone of {name} itself: name the primary server":
      "服务器并不直接托管 {name} 所在的区域，请填写主服务器",
    "{name} is an alias: it has no {type}": "{name} 是别名，没有 {type} 记录",
    "The server does not hold the zone {zone}": "服务器没有托管区域 {zone}",
    "The server takes updates of {zone} that are signed with {key}":
      "服务器接受用 {key} 签名的 {zone} 更新",
    "No DNS message: {why@clause}": "不是 DNS 消息：{why}",
    "The server answered {code} without a signature, so it is not believed: does it know the key?":
      "服务器返回 {code} 但没有签名，因此不予采信：它是否有此密钥？",
    "{code} is not believed: {why@clause}": "不采信 {code}：{why}",
    "The server refuses the signature: the secret of the key is another one there":
      "服务器拒绝签名：服务器上的密钥内容不同",
    "The server has no key with this name and algorithm": "服务器没有此名称和算法的密钥",
    "The clocks of the server and of this machine are too far apart{by@clause}":
      "服务器与本机的时钟相差过大{by}",
    "The server refuses the signature: {code}": "服务器拒绝签名：{code}",
    "The server answered {code}": "服务器返回 {code}",
    "The server is not the primary server of the zone {zone}": "该服务器不是区域 {zone} 的主服务器",
    "A name does not lie in the zone {zone}": "有名称不属于区域 {zone}",
    "The server refuses this key to change the zone {zone}": "服务器不允许此密钥修改区域 {zone}",
    "Somebody else changed the record at the same time": "其他人同时修改了该记录",
    "No answer from the name server {name}": "DNS 服务器 {name} 没有响应",
    "The name server {name} closed without an answer": "DNS 服务器 {name} 未响应就关闭了连接",
  },
  clause: {
    "The name {name}": "名称 {name}",
    "the name server {name}": "DNS 服务器 {name}",
    nothing: "空值",
    updated: "已更新",
    current: "无需更改",
    skipped: "已跳过",
    failed: "失败",
    "the token": "该令牌",
    "the user name and password": "该用户名和密码",
    "neither OK nor KO": "内容既不是 OK 也不是 KO",
    "it does not know this user name and password": "用户名或密码不正确",
    "the account may not do this": "账户无权执行此操作",
    "it takes no such name": "不接受这样的名称",
    "the account has no host with this name": "账户下没有此名称的主机",
    "too many hosts at once": "一次更新的主机过多",
    "it has blocked the host for too many updates": "因更新过于频繁，该主机已被封禁",
    "it refuses this client": "拒绝此客户端",
    ", {seconds} s": "（{seconds} 秒）",
    "it is signed with another key": "签名使用了其他密钥",
    "it is signed with another algorithm": "签名使用了其他算法",
    "its signature is wrong": "签名有误",
    "it was signed at another time": "签名时间不符",
    "a signature ends too soon": "签名不完整",
    "a signature has another length than it says": "签名长度与声明不符",
    "the message is too short": "消息过短",
    "the message ends too soon": "消息不完整",
    "bytes follow the message": "消息之后还有多余的字节",
    "a record ends too soon": "记录不完整",
    "a parameter ends too soon": "参数不完整",
    "an IPv4 address has 4 bytes": "IPv4 地址应为 4 字节",
    "an IPv6 address has 16 bytes": "IPv6 地址应为 16 字节",
    "{name} has a label of {count} bytes": "{name} 中有一段长达 {count} 字节",
    "{name} is too long": "{name} 过长",
    "a name is too long": "名称过长",
    "a name ends too soon": "名称不完整",
    "a pointer is wrong": "指针有误",
    "a label has an unknown kind": "标签类型未知",
  },
};

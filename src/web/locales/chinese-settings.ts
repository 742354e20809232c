/** What the service says about its settings in English only, by the environment variable. */
export const chineseSettings: Readonly<Record<string, string>> = {
  WAYPOST_HOST: "监听地址。",
  WAYPOST_PORT: "监听端口；0 表示自动选择空闲端口。",
  WAYPOST_DATA_DIR: "存放数据库和自动生成的密钥的目录。",
  WAYPOST_DATABASE_URL:
    "使用 PostgreSQL 时填写 `postgres://user:password@host/name`；留空则使用数据目录中的 SQLite 文件。",
  WAYPOST_JWT_SECRET:
    "用于签发会话并授权初始化，至少 32 个字符。留空则在首次启动时自动生成并存入数据目录。",
  WAYPOST_SECRET_KEY:
    "用于加密回调账户和域名账户的凭据，至少 32 个字符且不含空格；其后可用空格隔开列出仍需解密的旧密钥，直到 `waypost rotate-key` 用第一个密钥重新加密全部内容。留空则在首次启动时自动生成并存入数据目录。共用一个 PostgreSQL 的多个进程必须使用相同的密钥。",
  WAYPOST_PUBLIC_URL: "用户访问本服务的地址，用于邮件中的链接。留空则使用监听地址。",
  WAYPOST_TRUST_PROXY:
    "前面有一层代理时填 `true`，没有时填 `false`；也可填写以逗号分隔的代理地址和 CIDR 网段，其 X-Forwarded-For 会被采信。",
  WAYPOST_SMTP_URL: "`smtp://user:password@host:587` 或 `smtps://…`；留空则不发送邮件。",
  WAYPOST_MAIL_FROM: "邮件的发件人。",
  WAYPOST_EXPOSE_VERIFICATION_TOKEN: "`false` 表示注册响应中不包含验证令牌；需要设置 SMTP_URL。",
  WAYPOST_RATE_LIMIT: "`off` 取消对单个调用方的限制，全局限制始终有效。",
  WAYPOST_CHECK_REMOTE_URL: "代为执行在线检查的检查函数的地址。留空则由本服务自行检查。",
  WAYPOST_CHECK_REMOTE_KEY: "通过 X-API-Key 发送给检查函数的密钥。",
  WAYPOST_CHECK_API_KEY: "调用在线检查时必须在 X-API-Key 中提供的密钥。留空则任何人都可以调用。",
  WAYPOST_CHECK_POLICY:
    "在线检查可以连接哪些地址。`public`：不允许私有、回环和保留地址；`any`：全部允许；`auto`：仅当服务监听回环地址且未设置 PUBLIC_URL 和 TRUST_PROXY 时，对本机调用方等同于 `any`。",
  WAYPOST_CHECK_ALLOW: "以逗号分隔的地址和 CIDR 网段，无论策略如何都允许在线检查连接。",
  WAYPOST_CHECK_INTERVAL_SECONDS:
    "服务自动检查每个节点的间隔，60–86400 秒；连续三次检查失败的节点不会出现在查询结果中。`0` 表示不检查。除非 CHECK_POLICY 为 `any` 或 CHECK_ALLOW 放行，否则只检查公网地址。",
  WAYPOST_STUN_SERVERS:
    "未指定服务器的规则所使用的 STUN 服务器，以逗号分隔的 `host:port`，至少两个。留空则使用公共服务器列表。",
  WAYPOST_WEBHOOK_POLICY:
    "回调可以连接哪些地址。`lan`：包括私有和回环地址；`public`：仅限公网地址。链路本地地址、元数据服务和本服务自身始终不允许。",
  WAYPOST_PORT_MAPPING:
    "`auto` 请求家用路由器转发 STUN 规则的端口（PCP、NAT-PMP 或 UPnP），关闭时撤销。`off`：不改动路由器。",
  WAYPOST_CALLBACK_HISTORY_DAYS: "已结束的回调记录保留的天数，1–3650。",
  WAYPOST_CALLBACK_HISTORY_RUNS: "已结束的回调记录最多保留的条数，100–1000000。",
  WAYPOST_NOTICE_WEBHOOK_URL:
    "回调任务重试后仍失败以及恢复时，向此地址 POST 一条 JSON 通知；受 WEBHOOK_POLICY 约束。留空则不通知。",
  WAYPOST_NOTICE_MAIL_TO: "此类通知的收件地址；需要设置 SMTP_URL。留空则不发送。",
  WAYPOST_DRAIN_SECONDS:
    "收到 SIGTERM 后继续响应的秒数，0–5；期间 /readyz 返回 503，以便多个实例前面的设备有时间察觉。此后不再接受新连接，已有连接在下一次响应后关闭。",
  WAYPOST_LOG_LEVEL: "日志级别：silent、fatal、error、warn、info、debug、trace 之一。",
  WAYPOST_INSTANCE:
    "共用一个 PostgreSQL 的多个进程中本进程的名称，1–32 个 a–z、0–9、`-`、`_` 字符。",
  WAYPOST_METRICS_TOKEN: "凭此 Bearer 令牌可访问 /metrics；留空则仅限本机访问。",
};

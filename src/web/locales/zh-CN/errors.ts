import type { words as english } from "../en/errors.ts";
import type { Translated } from "../words.ts";

export const words: Translated<typeof english> = {
  unreachable: "服务没有响应。请确认服务正在运行且网络已连接，然后重试。",
  unexpected: "此页面出了问题。请重新加载后再试。",
  rateLimited: "尝试次数过多，请在 {{seconds}} 秒后再试",
  codes: {
    unauthorized: "请先登录",
    wrong_credentials: "邮箱地址或密码错误",
    wrong_setup_secret: "这不是本服务的初始化密钥",
    email_not_verified: "请先验证您的邮箱地址",
    account_disabled: "此账户已被停用，请联系管理员",
    forbidden: "您无权执行此操作",
    already_registered: "此邮箱地址已有账户，请登录",
    already_initialized: "系统已完成初始化，请登录",
    invalid_token: "此链接已过期或已被使用，请重新获取",
    name_taken: "此名称已被使用",
    not_found: "该内容不存在或已被删除",
    conflict: "仍有其他内容依赖于它",
    last_administrator: "这是最后一位管理员",
    overloaded: "服务繁忙，请稍后再试",
    storage_unavailable: "存储暂时没有响应，请稍后再试",
    not_ready: "服务尚未就绪，请稍后再试",
    internal: "服务内部出错，详情请查看其日志",
  },
};

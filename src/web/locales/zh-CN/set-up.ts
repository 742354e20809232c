import type { words as english } from "../en/set-up.ts";
import type { Translated } from "../words.ts";

export const words: Translated<typeof english> = {
  title: "初始化 Waypost",
  lead: "这是一个全新的服务，还没有管理员。只需两步，不到一分钟。",
  failed: "无法获知服务是否已初始化",
  next: "继续",
  back: "返回",
  create: "创建管理员",
  show: "显示或隐藏输入内容",
  already: {
    title: "本服务已完成初始化",
    hint: "初始化只能进行一次。如需成为管理员，请由现有管理员授权。",
    signIn: "登录",
    toAdmin: "前往管理页面",
  },
  secret: {
    title: "第 1 步（共 2 步）：初始化密钥",
    lead: "用于证明本服务归您所有。您可以在以下位置找到它：",
    printed: "服务的输出：首次启动时已打印；",
    kept: "数据目录中的 <code>jwt-secret</code> 文件；",
    chosen: "或者是您自行设置的 <code>WAYPOST_JWT_SECRET</code>。",
    label: "初始化密钥",
    missing: "请输入初始化密钥",
  },
  administrator: {
    title: "第 2 步（共 2 步）：管理员",
    lead: "可以查看和更改一切内容的账户。创建后将立即登录。",
    email: "邮箱地址",
    emailHint: "用于登录；现在不会发送邮件。",
    password: "密码",
  },
  strength: {
    weak: "容易被猜到：更长一些会更好。",
    fair: "尚可：再加一个词就很好。",
    good: "很难猜到。",
  },
};

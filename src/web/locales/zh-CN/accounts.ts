import type { words as english } from "../en/accounts.ts";
import type { Translated } from "../words.ts";

export const words: Translated<typeof english> = {
  fields: {
    email: "邮箱地址",
    password: "密码",
    newPassword: "新密码",
    newPasswordHint: "{{shortest}} 至 {{longest}} 个任意字符",
  },
  flaws: {
    emailMissing: "请输入您的邮箱地址",
    emailForm: "邮箱地址的格式类似 name@example.com",
    passwordMissing: "请输入密码",
    tooShort: "至少 {{shortest}} 个字符",
    tooLong: "最多 {{longest}} 个字符",
  },
  signIn: {
    title: "登录",
    action: "登录",
    forgotten: "忘记密码？",
    noAccount: "创建账户",
    expired: "您的会话已结束。请重新登录，以便从刚才的位置继续。",
  },
  signUp: {
    title: "创建账户",
    lead: "有了账户，您就可以添加自己的节点。仅浏览无需账户。",
    action: "创建账户",
    hasAccount: "我已有账户",
  },
  signedUp: {
    title: "还差一步",
    here: "本服务不发送邮件，请直接在此验证 {{email}}。",
    confirm: "验证此地址",
    byMail: "我们已向 {{email}} 发送了一个链接。请在 48 小时内打开它以验证地址。",
    noMail: "几分钟后仍未收到邮件？请先查看垃圾邮件，再重新获取。",
  },
  mail: {
    again: "重新发送邮件",
    sent: "如果该地址有账户，邮件已在路上。",
  },
  verify: {
    title: "验证您的地址",
    lead: "点击一下，您的账户即可使用。",
    action: "验证",
    done: "您的地址已验证",
    doneLead: "现在可以登录了。",
  },
  noToken: {
    title: "此链接不完整",
    what: "链接缺少末尾部分",
    todo: "请从邮件中复制完整的链接，或重新获取邮件。",
  },
  forgot: {
    title: "忘记密码",
    lead: "我们会向您发送一个用于设置新密码的链接。",
    action: "发送链接",
    sent: "如果该地址有账户，邮件已在路上。其中的链接一小时内有效。",
    noMails: "本服务不发送邮件。请向管理员索取设置新密码的链接。",
    back: "返回登录",
  },
  reset: {
    title: "设置新密码",
    lead: "您账户的所有会话将随之结束。",
    action: "设置密码",
    done: "新密码已设置",
    doneLead: "请使用新密码登录。",
    another: "获取新的链接",
  },
  profile: {
    title: "个人资料",
    account: "账户",
    role: "角色",
    administrator: "管理员",
    user: "用户",
    since: "注册时间",
  },
  change: {
    title: "修改密码",
    lead: "您账户的所有其他会话将随之结束。",
    current: "当前密码",
    action: "修改密码",
    done: "新密码已设置",
  },
  signOut: {
    title: "退出登录",
    lead: "“所有位置”指此浏览器以及您登录过的其他任何地方。",
    here: "在此退出",
    everywhere: "在所有位置退出",
  },
};

import { isSuccess } from "../lib/http-status.ts";
import type { OutgoingHttp } from "../lib/outgoing-http.ts";
import type { NoticeChannel } from "./notifier.ts";

const LIMIT_MS = 30_000;

/** A mail as it is handed over. */
export interface NoticeMail {
  to: string;
  subject: string;
  text: string;
}

/** Posts notices as JSON. */
export function webhookChannel(url: string, http: Pick<OutgoingHttp, "exchange">): NoticeChannel {
  return {
    name: "webhook",
    async send({ body }) {
      const exchange = http.exchange([url], AbortSignal.timeout(LIMIT_MS));
      const { status } = await exchange.send({
        stage: "write",
        method: "POST",
        url,
        headers: { "Content-Type": "application/json", "User-Agent": "Waypost" },
        body: JSON.stringify(body),
        oversize: "cut",
      });
      if (!isSuccess(status)) throw new Error(`the target of notices answered ${status}`);
    },
  };
}

/** Hands notices to the queue of mails, which tries by itself. */
export function mailChannel(to: string, enqueue: (mail: NoticeMail) => void): NoticeChannel {
  return {
    name: "mail",
    send: async ({ subject, text }) => enqueue({ to, subject, text }),
  };
}

import { pagePaths } from "../../shared/pages.ts";

/** A mail of ours. `kind` is what the log calls it. */
export interface Mail {
  kind: "verification" | "password reset" | "notice";
  to: string;
  subject: string;
  text: string;
}

/** A page of the web app that takes a token. */
function pageLink(baseUrl: string, path: string, token: string): string {
  return `${baseUrl}${path}?token=${encodeURIComponent(token)}`;
}

export function verificationMail(to: string, token: string, baseUrl: string): Mail {
  return {
    kind: "verification",
    to,
    subject: "Confirm your address for Waypost",
    text: `Somebody, we hope you, has registered this address at the Waypost service
${baseUrl}

Open this link within 48 hours to confirm it:
${pageLink(baseUrl, pagePaths.verify, token)}

Without a browser, this does the same:

curl '${baseUrl}/api/auth/verify?token=${encodeURIComponent(token)}'

If it was not you, do nothing: without the confirmation nobody can log in.
`,
  };
}

export function resetMail(to: string, token: string, baseUrl: string): Mail {
  return {
    kind: "password reset",
    to,
    subject: "A new password for Waypost",
    text: `Somebody, we hope you, has asked for a new password at the Waypost service
${baseUrl}

Open this link within one hour to set it:
${pageLink(baseUrl, pagePaths.resetPassword, token)}

Without a browser, this does the same (put your new password in):

curl -X POST ${baseUrl}/api/auth/reset-password \\
  -H 'content-type: application/json' \\
  -d '{"token":"${token}","password":"YOUR NEW PASSWORD"}'

The token works once: ${token}

If it was not you, do nothing: your password stays as it is.
`,
  };
}

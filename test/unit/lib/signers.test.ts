import { createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { $OpenApiUtil } from "@alicloud/openapi-core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { signAcs3 } from "../../../src/server/lib/acs3.ts";
import {
  isWebhookSecret,
  signWebhook,
  toWebhookKey,
} from "../../../src/server/lib/standard-webhooks.ts";
import { signTc3 } from "../../../src/server/lib/tc3.ts";
import { Acs3Verifier } from "../../support/acs3-verifier.ts";
import { Tc3Verifier } from "../../support/tc3-verifier.ts";

describe("ACS3-HMAC-SHA256", () => {
  const key = { accessKeyId: "YourAccessKeyId", accessKeySecret: "YourAccessKeySecret" };

  /** The fixed-parameter example of Alibaba Cloud's page "V3 request structure and signature". */
  test("signs the published example to the published signature", () => {
    const { url, headers } = signAcs3(key, {
      method: "POST",
      endpoint: "https://ecs.cn-shanghai.aliyuncs.com/",
      action: "RunInstances",
      version: "2014-05-26",
      query: {
        RegionId: "cn-shanghai",
        ImageId: "win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd",
      },
      nonce: "3156853299f313e23d1673dc12e1703d",
      at: Date.parse("2023-10-26T10:22:32Z"),
    });
    expect(url).toBe(
      "https://ecs.cn-shanghai.aliyuncs.com/?ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd&RegionId=cn-shanghai",
    );
    expect(headers.authorization).toBe(
      "ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0",
    );
  });

  test("signs whatever stands in the query as the official SDK does, and as the verifier reads it", () => {
    const at = Date.parse("2026-11-20T12:00:00Z");
    // The SDK sends names as they are.
    const names = fc.stringMatching(/^[A-Za-z][\w.-]{0,11}$/);
    const values = fc.string({ unit: "binary", maxLength: 12 });
    let nonce = 0;
    const verifier = new Acs3Verifier({ YourAccessKeyId: "YourAccessKeySecret" }, () => at);
    fc.assert(
      fc.property(fc.dictionary(names, values), (query) => {
        nonce += 1;
        const call = {
          method: "GET" as const,
          endpoint: "http://127.0.0.1:8123/",
          action: "GetOriginRule",
          version: "2024-09-10",
          query,
          nonce: `nonce-${nonce}`,
          at,
        };
        const { url, headers } = signAcs3(key, call);
        const received: Record<string, string> = { ...headers, host: "127.0.0.1:8123" };
        const { authorization: _authorization, ...signed } = received;
        const official = $OpenApiUtil.default.getAuthorization(
          { method: "GET", pathname: "/", query, headers: signed } as never,
          "ACS3-HMAC-SHA256",
          headers["x-acs-content-sha256"] ?? "",
          key.accessKeyId,
          key.accessKeySecret,
        );
        expect(headers.authorization).toBe(official);
        const target = new URL(url);
        const request = { method: "GET", url: target.pathname + target.search, headers: received };
        expect(verifier.check(request as unknown as IncomingMessage, Buffer.alloc(0))).toBe(
          undefined,
        );
      }),
    );
  });
});

describe("TC3-HMAC-SHA256", () => {
  const at = 1_551_113_065_000;
  const body =
    '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}';
  const call = {
    endpoint: "https://cvm.tencentcloudapi.com",
    service: "cvm",
    action: "DescribeInstances",
    version: "2017-03-12",
    body,
    at,
  };

  /** The example of Tencent Cloud's page "Signature v3"; the asterisks are literal. */
  test("signs the published example to the published signature", () => {
    const headers = signTc3({ secretId: `AKID${"*".repeat(32)}`, secretKey: "*".repeat(32) }, call);
    expect(headers.authorization).toBe(
      `TC3-HMAC-SHA256 Credential=AKID${"*".repeat(32)}/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host;x-tc-action, Signature=10b1a37a7301a02ca19a647ad722d5e43b4b3cff309d421d85b46093f6ab6c4f`,
    );
  });

  /** The example of that page's older text, which signs two headers. */
  test("is derived by the tests' verifier as published, too", () => {
    const id = "AKIDz8krbsJ5yKBZQpn74WFkmLPx3*******";
    const verifier = new Tc3Verifier({ [id]: "Gu5t9xGARNpq86cd98joQYCN3*******" }, "cvm", () => at);
    const signature = "2230eefd229f582d8b1b891af7107b91597240707d778ab3738f756258d7652c";
    const request = {
      method: "POST",
      url: "/",
      headers: {
        host: "cvm.tencentcloudapi.com",
        "content-type": "application/json; charset=utf-8",
        "x-tc-timestamp": "1551113065",
        authorization: `TC3-HMAC-SHA256 Credential=${id}/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host, Signature=${signature}`,
      },
    };
    expect(verifier.check(request, Buffer.from(body))).toBe(undefined);
    expect(verifier.check(request, Buffer.from(`${body} `))).toBe("AuthFailure.SignatureFailure");
  });
});

describe("Standard Webhooks", () => {
  const message = {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    at: 1_614_265_330_000,
    body: '{"test": 2432232314}',
  };

  /** The example of the reference libraries. */
  test("signs the published example to the published signature", () => {
    expect(signWebhook(toWebhookKey("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"), message)).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  test("takes a plain secret by its bytes", () => {
    const signed = createHmac("sha256", "plain söcret")
      .update(`${message.id}.1614265330.${message.body}`)
      .digest("base64");
    expect(signWebhook(toWebhookKey("plain söcret"), message)["webhook-signature"]).toBe(
      `v1,${signed}`,
    );
  });

  test.each([
    ["plain", true],
    ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", true],
    ["whsec_YWI=", true],
    ["whsec_YWI", true],
    ["whsec_", false],
    ["whsec_not base64", false],
    ["", false],
  ])("judges the secret %j: %s", (secret, expected) => {
    expect(isWebhookSecret(secret)).toBe(expected);
  });
});

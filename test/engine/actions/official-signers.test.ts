import { createRequire } from "node:module";
import { $OpenApiUtil } from "@alicloud/openapi-core";
import { CommonClient } from "tencentcloud-sdk-nodejs-common";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FakeAliyun } from "../../support/fake-aliyun.ts";
import { FakeTencent } from "../../support/fake-tencent.ts";

/** Its class is the default export of a CommonJS module, which the runner would unwrap. */
const { default: AlibabaClient } = createRequire(import.meta.url)("@alicloud/openapi-core") as {
  default: new (config: object) => {
    callApi(params: object, request: object, runtime: object): Promise<unknown>;
  };
};

describe("the official client of Alibaba Cloud", () => {
  let fake: FakeAliyun;
  beforeEach(async () => {
    fake = await FakeAliyun.listen(() => Date.now());
    fake.rules.set("5", { ConfigId: 5, ConfigType: "rule", RuleName: "厨房 *~!'()", Range: "off" });
  });
  afterEach(async () => fake.server.close());

  const call = async (
    action: string,
    method: string,
    query: Record<string, string>,
    key = fake.key,
  ) => {
    const endpoint = new URL(fake.server.url).host;
    const config = { accessKeyId: key.id, accessKeySecret: key.secret, endpoint, protocol: "http" };
    const client = new AlibabaClient(new $OpenApiUtil.Config(config));
    const params = new $OpenApiUtil.Params({
      action,
      method,
      version: "2024-09-10",
      protocol: "HTTP",
      pathname: "/",
      authType: "AK",
      style: "RPC",
      reqBodyType: "formData",
      bodyType: "json",
    });
    const request = new $OpenApiUtil.OpenApiRequest({
      query: { SiteId: fake.siteId, ConfigId: "5", ...query },
    });
    return client.callApi(params, request, {});
  };

  test("is accepted by the server that the action is tested with", async () => {
    expect(await call("GetOriginRule", "GET", {})).toMatchObject({
      statusCode: 200,
      body: { RuleName: "厨房 *~!'()" },
    });
    await call("UpdateOriginRule", "POST", { OriginHttpPort: "50234", RuleName: "茶 *~!'() &=" });
    expect(fake.rules.get("5")).toMatchObject({
      OriginHttpPort: "50234",
      RuleName: "茶 *~!'() &=",
      Range: "off",
    });
  });

  test("is turned away with a wrong secret, and with the wrong method", async () => {
    const wrong = { ...fake.key, secret: "wrong" };
    await expect(call("GetOriginRule", "GET", {}, wrong)).rejects.toMatchObject({
      code: "SignatureDoesNotMatch",
    });
    await expect(call("UpdateOriginRule", "GET", {})).rejects.toMatchObject({
      code: "UnsupportedHTTPMethod",
    });
  });
});

describe("the official client of Tencent Cloud", () => {
  let fake: FakeTencent;
  beforeEach(async () => {
    fake = await FakeTencent.listen(() => Date.now());
    fake.allowSdk = true;
    fake.rules.set("r", { RuleId: "r", RuleName: "厨房", Branches: [] });
  });
  afterEach(async () => fake.server.close());

  const client = (secretKey: string) => {
    const endpoint = new URL(fake.server.url).host;
    return new CommonClient(endpoint, "2022-09-01", {
      credential: { secretId: fake.key.id, secretKey },
      region: "",
      profile: { httpProfile: { protocol: "http://", endpoint } },
    });
  };

  test("is accepted by the server that the action is tested with", async () => {
    const { key, zoneId: ZoneId } = fake;
    expect(await client(key.secret).request("DescribeL7AccRules", { ZoneId })).toMatchObject({
      TotalCount: 1,
      Rules: [{ RuleName: "厨房", RulePriority: 1 }],
    });
    const Rule = { RuleId: "r", RuleName: "茶", Branches: [] };
    await client(key.secret).request("ModifyL7AccRule", { ZoneId, Rule });
    expect(fake.rules.get("r")).toMatchObject({ RuleName: "茶", Status: "enable" });
  });

  test("is turned away with a wrong secret", async () => {
    const request = client("wrong").request("DescribeL7AccRules", { ZoneId: fake.zoneId });
    await expect(request).rejects.toMatchObject({ code: "AuthFailure.SignatureFailure" });
  });
});

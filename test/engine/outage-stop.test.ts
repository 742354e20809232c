import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { FaultProxy } from "../support/fault-proxy.ts";
import { FaultStage } from "../support/fault-stage.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { RawConnection } from "../support/raw-connection.ts";

let stage: FaultStage;

afterEach(() => stage.clear());

describe.for(["sqlite", "postgres"] as const)("SIGTERM (%s)", (dialect) => {
  const settings = async (): Promise<Record<string, string>> =>
    dialect === "postgres" ? { DATABASE_URL: await newPostgresDatabase() } : {};

  test("under load ends the service, and every acknowledged report is there", async () => {
    stage = await FaultStage.set(await settings());
    for (let round = 0; round < 2; round++) {
      stage.beginLoad();
      await stage.untilReports(200);
      expect(await stage.wrongStop()).toEqual([]);
      await stage.endLoad();
      await stage.start();
      expect(await stage.wrongSettled()).toEqual([]);
    }
    expect(stage.storm.surprises).toEqual([]);
  });

  test("ends the service although clients hang", async () => {
    stage = await FaultStage.set(await settings());
    const { origin } = stage.service;
    const clients = await Promise.all(Array.from({ length: 4 }, () => RawConnection.open(origin)));
    const [silent, inHeaders, inBody, idle] = clients;
    silent?.send("");
    inHeaders?.send("POST /api/report HTTP/1.1\r\nHost: waypost\r\nX-Half");
    inBody?.send(
      "POST /api/report HTTP/1.1\r\nHost: waypost\r\nContent-Type: application/json\r\n" +
        "Content-Length: 1000\r\n\r\n{",
    );
    idle?.send("GET /healthz HTTP/1.1\r\nHost: waypost\r\n\r\n");
    await sleep(200);
    expect(await stage.wrongStop()).toEqual([]);
    for (const client of clients) client.close();
  });
});

test("SIGTERM ends the service in time although PostgreSQL does not answer", async () => {
  const proxy = await FaultProxy.start(await newPostgresDatabase());
  stage = await FaultStage.set({ DATABASE_URL: proxy.url });
  stage.beginLoad();
  await stage.untilReports(200);
  proxy.fallSilent();
  await stage.untilReports(503);
  expect(await stage.wrongStop()).toEqual([]);
  await stage.endLoad();

  proxy.speak();
  await stage.start();
  expect(await stage.wrongSettled()).toEqual([]);
  await stage.clear();
  await proxy.stop();
});

import { expect, test } from "vitest";
import type { Receipt } from "../../src/server/reports/record.ts";
import { Receipts } from "../../src/server/reports/receipts.ts";
import type { ReceiptKey, ReportStore } from "../../src/server/reports/store.ts";

const NODE = 7;
const receipt: Receipt = { reportId: "a", usedTraffic: 1, maxTraffic: 0, resetAt: 0 };

type Page = (ReceiptKey & { at: number })[];

/** A table of which each page comes when the test says so. */
class SlowTable implements Pick<ReportStore, "findReceipt" | "receiptKeys"> {
  readonly pages: PromiseWithResolvers<Page>[] = [];

  findReceipt = async () => undefined;

  receiptKeys = (): Promise<Page> => {
    const page = Promise.withResolvers<Page>();
    this.pages.push(page);
    return page.promise;
  };
}

const always = () => false;

async function loaded(): Promise<Receipts> {
  const table = new SlowTable();
  const receipts = new Receipts(table as unknown as ReportStore);
  const loading = receipts.load(0, always);
  table.pages[0]?.resolve([]);
  await loading;
  return receipts;
}

test("an id that is new everywhere is new, until its report is on its way", async () => {
  const receipts = await loaded();
  expect(receipts.isNew(NODE, "a")).toBe(true);
  receipts.add(NODE, "a", 1, Promise.resolve(receipt));
  expect(receipts.isNew(NODE, "a")).toBe(false);
  expect(receipts.isNew(NODE + 1, "a")).toBe(true);
});

test("a report that failed here stays known when another instance has taken it", async () => {
  const receipts = await loaded();
  const own = Promise.withResolvers<Receipt>();
  receipts.add(NODE, "a", 1, own.promise);
  expect(receipts.count(NODE, 2, receipt)).toBe(true);
  own.reject(new Error("not stored"));
  await expect(own.promise).rejects.toThrow("not stored");
  expect(receipts.isNew(NODE, "a")).toBe(false);
  expect(await receipts.find(NODE, "a", 3)).toEqual(receipt);
  expect(receipts.count(NODE, 4, receipt)).toBe(false);
});

test("a report that failed and that nobody has taken is new again", async () => {
  const receipts = await loaded();
  const own = Promise.withResolvers<Receipt>();
  receipts.add(NODE, "a", 1, own.promise);
  own.reject(new Error("not stored"));
  await expect(own.promise).rejects.toThrow("not stored");
  expect(receipts.isNew(NODE, "a")).toBe(true);
});

test("while the table is read anew no id is certainly new, whichever reading ends first", async () => {
  const table = new SlowTable();
  const receipts = new Receipts(table as unknown as ReportStore);
  const first = receipts.load(0, always);
  const second = receipts.load(0, always);
  table.pages[0]?.resolve([]);
  await first;
  expect(receipts.isNew(NODE, "a")).toBe(false);
  table.pages[1]?.resolve([{ nodeId: NODE, reportId: "a", at: 1 }]);
  await second;
  expect(receipts.isNew(NODE, "a")).toBe(false);
  expect(receipts.isNew(NODE, "b")).toBe(true);
});

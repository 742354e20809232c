/** Renews the pictures of the web app in `docs/pictures`, from the demo. Needs Chromium. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium, type Page } from "playwright-core";

const folder = join(import.meta.dirname, "../docs/pictures");
const program = join(import.meta.dirname, "../demo/whole/main.ts");
const size = { width: 1_200, height: 760 };
/** What people see, and the file that shows it. */
const pictures = [
  { name: "status", path: "/", colorScheme: "light" },
  { name: "hole", path: "/admin/stun/1", colorScheme: "light" },
  { name: "runs", path: "/admin/callbacks/runs", colorScheme: "dark" },
] as const;

const demo = spawn(process.execPath, [program, "--port", "0"], {
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const origin = await originOf(demo.stdout);
  await mkdir(folder, { recursive: true });
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  for (const { name, path, colorScheme } of pictures) {
    const page = await browser.newPage({ viewport: size, colorScheme, locale: "en" });
    await signIn(page, origin);
    await page.goto(origin + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    // Charts and live states follow the first answers.
    await page.waitForTimeout(2_000);
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await page.close();
  }
  await browser.close();
} finally {
  demo.kill("SIGINT");
  await once(demo, "exit");
}

async function originOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const origin = /The demo is open: (\S+)/.exec(line)?.[1];
    if (origin) return origin;
  }
  throw new Error("The demo has ended before it was open");
}

async function signIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/sign-in`);
  await page.getByLabel("E-mail address").fill("demo@example.com");
  await page.locator("input[type=password]").fill("demo-demo-demo");
  await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: /Account of/ }).waitFor();
}

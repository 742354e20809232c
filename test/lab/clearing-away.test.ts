import { execFileSync, fork, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { environment } from "../../lab/environment.ts";
import { Lab } from "../../lab/lab.ts";
import { blockOf } from "../support/documents.ts";
import { describeInLaboratory } from "../support/laboratory.ts";

const builder = fileURLToPath(new URL("../support/laboratory-builder.ts", import.meta.url));
const prompt = fileURLToPath(new URL("../../lab/main.ts", import.meta.url));

const OPTIONS = { encoding: "utf8", env: environment() } as const;

function namespacesOf(lab: Lab): string[] {
  return [lab.home, lab.router.namespace, lab.internet].map((each) => each.name);
}

function processesIn(namespace: string): number[] {
  const listed = execFileSync("ip", ["netns", "pids", namespace], OPTIONS);
  return listed.split("\n").filter(Boolean).map(Number);
}

/** The namespaces, processes and folders that are left of these. */
function remains(namespaces: readonly string[], processes: readonly number[]): unknown[] {
  const laboratories = namespaces.map((each) => each.replace(/-[a-z]+$/, ""));
  return [
    ...readdirSync("/run/netns").filter((each) => namespaces.includes(each)),
    ...processes.filter((pid) => existsSync(`/proc/${pid}/ns/net`)),
    ...readdirSync(tmpdir()).filter((each) => laboratories.includes(each)),
  ];
}

/** A process with a laboratory. */
async function buildElsewhere(): Promise<{ child: ChildProcess; namespaces: string[] }> {
  const child = fork(builder, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const [namespaces] = (await once(child, "message")) as [string[]];
  return { child, namespaces };
}

function keeperOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  const keeper = children.find((each) =>
    readFileSync(`/proc/${each}/cmdline`, "utf8").includes("keeper.sh"),
  );
  return Number(keeper);
}

/** What a laboratory must not change on its machine. */
function ownNetwork(): string {
  const commands = ["ip address", "ip route", "ip rule", "nft list ruleset"];
  const shown = commands.map((each) => {
    const [command = "", ...parameters] = each.split(" ");
    // How long an address is still good for goes down by itself.
    return execFileSync(command, parameters, OPTIONS).replaceAll(/_lft \w+/g, "");
  });
  return [...shown, readFileSync("/proc/sys/net/ipv4/ip_forward", "utf8")].join("\n");
}

describeInLaboratory("What is cleared away", {}, (neighbour) => {
  it("is everything, when it is told to", async () => {
    const before = ownNetwork();
    const lab = await Lab.create({ carrier: "full_cone" });
    lab.home.spawn("sleep", ["1000"], { stdio: "ignore" });
    expect(ownNetwork()).toBe(before);
    const namespaces = [...namespacesOf(lab), lab.nat.namespace.name];
    const processes = namespaces.flatMap(processesIn);
    expect(processes.length).toBeGreaterThan(5);
    expect(remains(namespaces, processes)).toHaveLength(namespaces.length + processes.length + 1);
    await lab.destroy();
    expect(remains(namespaces, processes)).toEqual([]);
    await lab.destroy();
    expect(ownNetwork()).toBe(before);
  });

  it("is everything, when its process is killed", async () => {
    const { child, namespaces } = await buildElsewhere();
    const processes = namespaces.flatMap(processesIn);
    child.kill("SIGKILL");
    await expect.poll(() => remains(namespaces, processes), { timeout: 10_000 }).toEqual([]);
  });

  it("is what others left behind, when the next one is built, and nothing else", async () => {
    const { child, namespaces } = await buildElsewhere();
    const processes = namespaces.flatMap(processesIn);
    process.kill(keeperOf(child.pid ?? 0), "SIGKILL");
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(remains(namespaces, processes)).not.toEqual([]);
    const lab = await Lab.create();
    expect(remains(namespaces, processes)).toEqual([]);
    expect(await neighbour().home.run("cat", ["/etc/hosts"])).toContain("stun1.test");
    await lab.destroy();
  });

  it("is what the prompt built, when its input ends", () => {
    const input = "stun udp 1\nlie 1 192.0.2.1:5\nstun tcp 1\nports now\nlose much\nhow\n";
    const { status, stdout } = spawnSync(process.execPath, [prompt, "symmetric"], {
      input,
      encoding: "utf8",
    });
    expect(status).toBe(0);
    expect(stdout).toMatch(/stun1.test sees port \d+ as 198.51.100.10:\d+\n/);
    expect(stdout).toMatch(/stun1.test sees port \d+ as 192.0.2.1:5\n/);
    expect(stdout).toContain("mapping address_and_port_dependent");
    expect(stdout).toContain("much: a number?");
    expect(stdout).toContain("ends the laboratory");
  });

  it("is the laboratory of docs/laboratory.md, where the prompt answers as is shown", () => {
    const { text } = blockOf("docs/laboratory.md", "lab> stun");
    // From there on somebody types into a shell of the home.
    const [dialogue = ""] = text.split(/^lab> shell/m);
    const input = [...dialogue.matchAll(/^lab> (.*)$/gm)].map(([, line]) => `${line}\n`).join("");
    const { stdout } = spawnSync(process.execPath, [prompt], { input, encoding: "utf8" });
    const pattern = dialogue
      .replaceAll(/^lab> .*\n/gm, "")
      .replaceAll(/[.]/g, "\\$&")
      .replaceAll(/(?<=:)\d{5}$|[\d-]+T[\d:\\.]+Z/gm, "\\S+")
      .replaceAll("\n", "\n(?:lab> )?");
    expect(stdout).toMatch(new RegExp(pattern));
  });

  it("needs no root to say that it needs root", () => {
    const { status, stderr } = spawnSync("unshare", ["--user", process.execPath, prompt], {
      encoding: "utf8",
    });
    expect(stderr).toBe("The laboratory needs root, to create network namespaces.\n");
    expect(status).toBe(1);
  });
});

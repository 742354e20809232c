import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const TCP_HEAD = "  sl  local_address rem_address   st tx_queue rx_queue\n";
const ROUTES = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\n";

/** What a machine's kernel and its overlay say, in files that the test writes. */
export class FakedMachine {
  readonly proc: string;
  readonly sys: string;
  /** The overlay's command line program. */
  readonly overlayCli: string;
  readonly #answers: string;

  constructor(folder: string) {
    this.proc = join(folder, "proc");
    this.sys = join(folder, "sys");
    this.overlayCli = join(folder, "overlay-cli");
    this.#answers = join(folder, "overlay.json");
  }

  /** Bytes that `eth0`, which the default route goes through, shows in the life of this boot. */
  async show(boot: string, inward: number, outward: number): Promise<void> {
    await this.#write(`${this.proc}/sys/kernel/random/boot_id`, `${boot}\n`);
    await this.#write(
      `${this.proc}/net/dev`,
      `head\nhead\n  eth0: ${inward} 1 0 0 0 0 0 0 ${outward} 1 0 0 0 0 0 0\n`,
    );
    await this.#write(
      `${this.proc}/net/route`,
      `${ROUTES}eth0\t00000000\t0100000A\t0003\t0\t0\t100\t00000000\n`,
    );
    await this.#write(`${this.sys}/class/net/eth0/ifindex`, "2\n");
  }

  /** Established connections at port 11010. */
  async connect(count: number): Promise<void> {
    const line = "   0: 0100007F:2B02 0100007F:D431 01 00000000:00000000\n";
    await this.#write(`${this.proc}/net/tcp`, TCP_HEAD + line.repeat(count));
  }

  /** What the overlay's program prints, by the words it is asked with; without, it fails. */
  async answer(answers: Record<string, unknown>): Promise<void> {
    await this.#write(this.#answers, JSON.stringify(answers));
    await this.#write(
      this.overlayCli,
      `#!${process.execPath}
const words = process.argv.slice(2);
if (words[0] !== "--version") {
  const [p, portal, o, json, ...asked] = words;
  if (p !== "-p" || portal !== "127.0.0.1:15888" || o !== "-o" || json !== "json") process.exit(3);
  const answers = JSON.parse(require("node:fs").readFileSync(${JSON.stringify(this.#answers)}, "utf8"));
  if (!(asked.join(" ") in answers)) {
    console.error("Error: failed to connect to the portal");
    process.exit(1);
  }
  console.log(JSON.stringify(answers[asked.join(" ")], null, 2));
}
`,
    );
    await chmod(this.overlayCli, 0o700);
  }

  async #write(path: string, text: string): Promise<void> {
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, text);
  }
}

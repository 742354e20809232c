import { connect, createServer } from "node:net";

/**
 * A program: passes connections on from one port to another, and holds what comes back for a random
 * time, so that whoever dies often dies between an answer and its arrival.
 */
const [from, to, longestMs] = process.argv.slice(2).map(Number) as [number, number, number];

const server = createServer((near) => {
  const far = connect(to, "127.0.0.1");
  near.pipe(far);
  far.on("data", (chunk) => setTimeout(() => near.write(chunk), Math.random() * longestMs));
  far.on("close", () => near.destroySoon());
  near.on("close", () => far.destroy());
  near.on("error", () => far.destroy());
  far.on("error", () => near.destroy());
});
server.listen(from, "127.0.0.1", () => console.log("ready"));

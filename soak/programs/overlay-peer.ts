/** A node of an overlay network, on the internet of the laboratory. */
import { answerAsked } from "../../lab/programs/asked.ts";
import { OverlayPeer } from "../../test/support/overlay-peer.ts";

await OverlayPeer.listen({ host: process.argv[2] ?? "", port: Number(process.argv[3]) });
answerAsked({});

import { answerAsked } from "./asked.ts";
import { call, hangUp, say } from "./peer-calls.ts";
import { closeTcp, dialTcp, openTcp, queryTcp } from "./peer-tcp.ts";
import { closeUdp, openUdp, queryUdp, sendUdp } from "./peer-udp.ts";

const udp = { openUdp, queryUdp, sendUdp, closeUdp };
const tcp = { openTcp, queryTcp, dialTcp, closeTcp };
answerAsked({ ...udp, ...tcp, call, say, hangUp });

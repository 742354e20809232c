import { answerAsked } from "./asked.ts";
import { closeTcp, dialTcp, openTcp, queryTcp } from "./peer-tcp.ts";
import { closeUdp, openUdp, queryUdp, sendUdp } from "./peer-udp.ts";

answerAsked({ openUdp, queryUdp, sendUdp, closeUdp, openTcp, queryTcp, dialTcp, closeTcp });

import { NodeResolver } from "../../probe/node/resolver.ts";
import { UdpPort } from "./datagram-port.ts";
import type { DiagnosisPorts } from "./diagnosis-ports.ts";
import type { DiagnosisParts } from "./diagnosis.ts";
import { isLocalAddress } from "./local-address.ts";
import { NatPmp } from "./nat-pmp.ts";
import { PORT_MAPPING_PORT } from "./router-question.ts";
import { TcpDiagnosisPort } from "./stream-port.ts";
import { surroundingsOf } from "./surroundings.ts";

const systemPorts: DiagnosisPorts = {
  datagram: (localAddress) => new UdpPort(localAddress),
  stream: (localAddress) => new TcpDiagnosisPort(localAddress),
  isOwnAddress: isLocalAddress,
};

/** A diagnosis of the host that this runs on. */
export function systemParts(): DiagnosisParts {
  return {
    ports: systemPorts,
    resolver: new NodeResolver(),
    surroundingsOf,
    routerIp: (gateway, withinMs, signal) =>
      new NatPmp({ address: gateway, port: PORT_MAPPING_PORT }, withinMs).externalIp(signal),
  };
}

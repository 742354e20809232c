import type { Said } from "./said.ts";

/** What a diagnosis of the NAT advises. */
export const advice: Said = {
  sentence: {
    "The name {name} leads to {address}, an address that proxy programs make up.":
      "域名 {name} 解析到 {address}，这是代理程序虚构的地址（fake-ip）。",
    "Let the proxy pass the names of the STUN servers, or name the servers by their addresses.":
      "请让代理放行 STUN 服务器的域名，或直接填写服务器的 IP 地址。",
    "No usable address was found for {names}.": "以下服务器没有可用的地址：{names}。",
    "Check the name servers of this machine.": "请检查本机的 DNS 设置。",
    "No server answered, neither over UDP nor over TCP.": "没有服务器应答，UDP 和 TCP 均如此。",
    "Check that this machine is online, and try other servers.":
      "请检查本机是否联网，并尝试其他服务器。",
    "No server answered over UDP, and over TCP they do: something on the way blocks UDP.":
      "服务器仅通过 TCP 应答，UDP 没有应答：途中有设备阻断了 UDP。",
    "Allow outgoing UDP in your router or firewall, or use a rule for TCP.":
      "请在路由器或防火墙中放行出站 UDP，或改用 TCP 规则。",
    "No server answered over TCP, and over UDP they do: many servers answer over UDP only.":
      "服务器仅通过 UDP 应答，TCP 没有应答：许多服务器只支持 UDP。",
    "Name STUN servers that answer over TCP.": "请填写支持 TCP 的 STUN 服务器。",
    "This program runs in a container whose own network is one more NAT on the way.":
      "本程序运行在容器中，容器自身的网络又多了一层 NAT。",
    "Start the container with the network of its host (network_mode: host).":
      "请让容器使用宿主机网络（network_mode: host）。",
    "Exclude this program from the VPN, or set the local address of your home network.":
      "请让本程序不经过 VPN，或将本地地址设为家庭网络中的地址。",
    "The answers come faster than servers elsewhere can give them: something near, such as a VPN or a proxy, seems to answer in their place.":
      "应答快得不像来自远处的服务器：似乎有 VPN 或代理等近处的程序代为应答。",
    "Different servers see different addresses of you: {addresses}.":
      "不同服务器看到的您的地址不同：{addresses}。",
    "Either your traffic takes several ways, as with two lines or with a VPN for some destinations, or a server is wrong.":
      "可能是流量走了不同线路（例如双线，或部分目标经过 VPN），也可能是某台服务器有误。",
    "UDP leaves with the address {udp} and TCP with {tcp}: a VPN or a proxy takes one of them.":
      "UDP 的出口地址是 {udp}，TCP 的是 {tcp}：其中之一经过了 VPN 或代理。",
    "Your router stands behind another router: its own outer address, {address}, is a private one.":
      "您的路由器位于另一台路由器之后：它的外部地址 {address} 是内网地址。",
    "To forward a port you need it on both routers; or let the outer one pass everything on (bridge mode).":
      "端口转发需要在两台路由器上都设置，或将外层设备改为桥接模式。",
    "Your router has the address {router} and servers see {seen}: there is something between them, another NAT or a VPN.":
      "您的路由器地址是 {router}，而服务器看到的是 {seen}：中间还有另一层 NAT 或 VPN。",
    "Your provider has a NAT of its own: {address} is an address that several customers share behind it.":
      "您的运营商使用了运营商级 NAT：{address} 位于由多个用户共用的地址之后。",
    "A port that is forwarded on your own router alone cannot be reached from the internet.":
      "仅在自己的路由器上设置端口转发，无法从互联网访问。",
    "This machine has the public address itself: there is no NAT in between.":
      "本机直接拥有公网地址，中间没有 NAT。",
    "Whoever knows the address and port is let in.": "知道地址和端口的任何人都可以访问。",
    "Only a firewall can still keep visitors out.": "只有防火墙可能拦截来访。",
    "One server alone cannot tell whether the public port is the same for everybody.":
      "仅凭一台服务器无法判断公网端口是否对所有人相同。",
    "Name a second server with another address.": "请再添加一台地址不同的服务器。",
    "Whether visitors are let in can only be seen from outside: open the address with a phone that is not in your Wi-Fi.":
      "来访能否进入只能从外部确认：请用未连接 Wi-Fi 的手机访问该地址。",
    "Everybody is let in while the rule holds the port open.":
      "规则保持端口打开期间，任何人都可以进入。",
    "The public port stays the same whoever you speak to.": "无论与谁通信，公网端口都保持不变。",
    "Your router lets in only those you have sent to before, so that new visitors are turned away.":
      "路由器只放行您主动联系过的来源，陌生来访会被拦截。",
    "Forward the port on your router, or set its NAT type to full cone; programs that contact each other at the same time get through as it is.":
      "请在路由器上转发该端口，或将 NAT 类型设为全锥形；双方同时互相联系的程序无需更改也能连通。",
    "None of the servers can try whether visitors are let in; one with two addresses can, such as a coturn of your own.":
      "这些服务器都无法测试来访能否进入；拥有两个地址的服务器可以，例如自建的 coturn。",
    "A {transport} rule cannot work behind it.": "{transport} 规则无法在其后工作。",
    "Set the NAT type of your router to full cone if it offers that, or forward the port on it.":
      "如果路由器支持，请将 NAT 类型设为全锥形，或在路由器上设置端口转发。",
    "Where the NAT is your provider's, ask for an IPv4 address of your own, or use IPv6.":
      "如果 NAT 属于运营商，请申请独立的公网 IPv4 地址，或使用 IPv6。",
    "Whether the port of the other side matters, too, could not be seen.":
      "未能判断对方的端口是否也有影响。",
    "{server} says {mapped}, unlike the others: do without it if that lasts.":
      "{server} 给出的是 {mapped}，与其他服务器不同；如果一直如此，请不要使用它。",
    "Your router does not lead from inside to your own public address: at home use the local address, and test from outside.":
      "路由器不支持从内网访问自己的公网地址：在家请使用内网地址，并从外部测试。",
    "Traffic leaves by {name}, which belongs to a VPN or a proxy{seen@clause}.":
      "流量经由 {name} 发出，它属于 VPN 或代理{seen}。",
    "Your NAT uses another public port for {who@clause} you speak to, so that no address can be told that works for all.":
      "您的 NAT 对{who}都使用不同的公网端口，因此没有对所有人都有效的地址。",
    "The public port stays the same whoever you speak to, so that a TCP rule can work.":
      "无论与谁通信，公网端口都保持不变，TCP 规则可以使用。",
    "The public port stays the same whoever you speak to, so that a UDP rule can work.":
      "无论与谁通信，公网端口都保持不变，UDP 规则可以使用。",
  },
  clause: {
    ": {address} is its address and not that of your line":
      "：{address} 是它的地址，而不是您线路的地址",
    everybody: "每个通信对象",
    "everybody and every port": "每个通信对象及其每个端口",
  },
};

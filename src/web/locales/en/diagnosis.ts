/** What the NAT between this service and the internet does. */
export const words = {
  title: "NAT diagnosis",
  lead: "Finds out how your router's NAT (which shares one public address among your devices) treats this machine, and whether a STUN rule can work here.",
  question: "What to look at",
  transport: "Transport",
  transportHint: "What the service that you want to reach speaks.",
  ownServers: "Use other STUN servers",
  servers: "STUN servers",
  serversHint:
    "One host:port a line. Empty: those of the service. At least two, run by different people.",
  start: "Start the diagnosis",
  running: "Asking the servers …",
  runningWhat: "Several servers are asked from several ports. This takes up to 20 seconds.",
  failed: "The diagnosis did not succeed",
  result: "Result for {{transport}}",
  asJson: "the result as JSON",
  advice: "What this means for you",
  server: "Server",
  seen: "Saw you as",
  rtt: "Round trip",
  noAnswer: "no answer",
  verdict: {
    open: {
      title: "No NAT in between",
      what: "This machine has its public address itself; {{transport}} rules work, and only a firewall could be in the way.",
    },
    good: {
      title: "A hole can work here",
      what: "The NAT shows everybody the same public port, so that a {{transport}} rule has an address that holds for all.",
    },
    filtered: {
      title: "A hole opens, but strangers are turned away",
      what: "The public port is the same for everybody, but the router lets in only those you have sent to before. Forward the port on the router, or set its NAT type to full cone.",
    },
    doubtful: {
      title: "Not enough answers",
      what: "Too few servers answered to tell whether the port is the same for everybody. Name a second server, run by somebody else.",
    },
    bad: {
      title: "A hole cannot work here",
      what: "The NAT shows every destination another public port, so that there is no {{transport}} address that holds for all. Set the router's NAT type to full cone, forward a port, or use IPv6.",
    },
    silent: {
      title: "No server answered",
      what: "Nothing can be said about the NAT. Check that this machine is online and that {{transport}} is allowed out, or name other servers.",
    },
  },
  picture: {
    machine: "This machine",
    nat: "NAT",
    noNat: "Internet, no NAT",
    seenBy: "seen by {{server}}",
    said: "This machine is seen as {{ip}}, with these ports: {{ports}}",
  },
  mapping: {
    title: "Mapping: is the public port the same for everybody?",
    endpoint_independent: {
      word: "Yes, the same for everybody",
      means: "Endpoint-independent mapping, also called cone NAT: what a rule needs.",
    },
    address_dependent: {
      word: "No, it differs by address",
      means: "Address-dependent mapping: every host is shown another port.",
    },
    address_and_port_dependent: {
      word: "No, it differs by address and port",
      means:
        "Address- and port-dependent mapping, also called symmetric NAT: every connection is shown another port.",
    },
    none: { word: "There is no NAT", means: "The port is your own." },
    unknown: {
      word: "Not known",
      means: "Two servers with different addresses must answer to tell.",
    },
  },
  filtering: {
    title: "Filtering: who is let in?",
    endpoint_independent: {
      word: "Everybody",
      means: "While the hole is open, any visitor gets through (full cone).",
    },
    address_dependent: {
      word: "Only hosts you have sent to",
      means: "New visitors are turned away (restricted cone).",
    },
    address_and_port_dependent: {
      word: "Only hosts and ports you have sent to",
      means: "New visitors are turned away (port-restricted cone).",
    },
    none: { word: "Everybody", means: "Nothing filters on the way." },
    unknown: {
      word: "Not known",
      means: "None of the servers can try it; one with two addresses can.",
    },
    tcp: {
      word: "Cannot be tried over TCP",
      means:
        "Open the public address from outside, for example with a phone that is not in your Wi-Fi.",
    },
  },
  hairpin: {
    title: "Hairpin: can you use the public address at home?",
    yes: { word: "Yes", means: "The router leads back inside. It says nothing about the outside." },
    no: {
      word: "No",
      means: "At home use the local address, and test from outside.",
    },
    unknown: { word: "Not known", means: "It could not be found out." },
  },
  said: {
    madeUp: "The name {{name}} leads to {{address}}, an address that proxy programs make up.",
    passNames:
      "Let the proxy pass the names of the STUN servers, or name the servers by their addresses.",
    unresolved: "No usable address was found for {{names}}.",
    checkNames: "Check the name servers of this machine.",
    silent: "No server answered, neither over UDP nor over TCP.",
    checkOnline: "Check that this machine is online, and try other servers.",
    udpBlocked:
      "No server answered over UDP, and over TCP they do: something on the way blocks UDP.",
    allowUdp: "Allow outgoing UDP in your router or firewall, or use a rule for TCP.",
    tcpSilent:
      "No server answered over TCP, and over UDP they do: many servers answer over UDP only.",
    nameTcp: "Name STUN servers that answer over TCP.",
    container: "This program runs in a container whose own network is one more NAT on the way.",
    hostNetwork: "Start the container with the network of its host (network_mode: host).",
    tunnelSeen:
      "Traffic leaves by {{name}}, which belongs to a VPN or a proxy: {{address}} is its address and not that of your line.",
    tunnel: "Traffic leaves by {{name}}, which belongs to a VPN or a proxy.",
    exclude: "Exclude this program from the VPN, or set the local address of your home network.",
    tooFast:
      "The answers come faster than servers elsewhere can give them: something near, such as a VPN or a proxy, seems to answer in their place.",
    severalSeen: "Different servers see different addresses of you: {{addresses}}.",
    severalWays:
      "Either your traffic takes several ways, as with two lines or with a VPN for some destinations, or a server is wrong.",
    otherTransport:
      "UDP leaves with the address {{udp}} and TCP with {{tcp}}: a VPN or a proxy takes one of them.",
    nested:
      "Your router stands behind another router: its own outer address, {{address}}, is a private one.",
    nestedTodo:
      "To forward a port you need it on both routers; or let the outer one pass everything on (bridge mode).",
    between:
      "Your router has the address {{router}} and servers see {{seen}}: there is something between them, another NAT or a VPN.",
    carrier:
      "Your provider has a NAT of its own: {{address}} is an address that several customers share behind it.",
    carrierTodo:
      "A port that is forwarded on your own router alone cannot be reached from the internet.",
    noNat: "This machine has the public address itself: there is no NAT in between.",
    letIn: "Whoever knows the address and port is let in.",
    firewall: "Only a firewall can still keep visitors out.",
    oneServer: "One server alone cannot tell whether the public port is the same for everybody.",
    secondServer: "Name a second server with another address.",
    tcpWorks: "The public port stays the same whoever you speak to, so that a TCP rule can work.",
    tcpOutside:
      "Whether visitors are let in can only be seen from outside: open the address with a phone that is not in your Wi-Fi.",
    udpWorks: "The public port stays the same whoever you speak to, so that a UDP rule can work.",
    everybodyIn: "Everybody is let in while the rule holds the port open.",
    samePort: "The public port stays the same whoever you speak to.",
    turnedAway:
      "Your router lets in only those you have sent to before, so that new visitors are turned away.",
    forward:
      "Forward the port on your router, or set its NAT type to full cone; programs that contact each other at the same time get through as it is.",
    cannotTry:
      "None of the servers can try whether visitors are let in; one with two addresses can, such as a coturn of your own.",
    dependentPorts:
      "Your NAT uses another public port for everybody and every port you speak to, so that no address can be told that works for all.",
    dependent:
      "Your NAT uses another public port for everybody you speak to, so that no address can be told that works for all.",
    cannotWork: "A {{transport}} rule cannot work behind it.",
    fullCone:
      "Set the NAT type of your router to full cone if it offers that, or forward the port on it.",
    askProvider:
      "Where the NAT is your provider's, ask for an IPv4 address of your own, or use IPv6.",
    portsUnseen: "Whether the port of the other side matters, too, could not be seen.",
    odd: "{{server}} says {{mapped}}, unlike the others: do without it if that lasts.",
    noHairpin:
      "Your router does not lead from inside to your own public address: at home use the local address, and test from outside.",
  },
};

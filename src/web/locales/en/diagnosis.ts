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
};

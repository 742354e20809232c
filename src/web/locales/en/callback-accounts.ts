/** Callback accounts: the targets that tasks tell, with their credentials. */
export const words = {
  title: "Callback accounts",
  lead: "An account holds what is needed to tell one target: where it is, and the credentials. Give them as few rights as possible.",
  create: "New account",
  account: "Account",
  notLoaded: "The accounts could not be loaded",
  notLoadedOne: "The account could not be loaded",
  refused: "The account was not saved",
  saved: "The account {{name}} is saved",
  name: "Name",
  nameHint: "Up to 64 characters.",
  type: "Type",
  usedBy: "Used by",
  unused: "no task",
  unusedWhat: "No task uses this account yet.",
  changed: "Changed",
  empty: {
    title: "No account yet",
    what: "An account says who is told about a new public address: a webhook, DNS records, a CDN rule. A task then links it to a STUN rule.",
  },
  new: {
    title: "New callback account",
    lead: "Who should be told when a public address changes?",
    other: "Choose another type",
    submit: "Create account",
    done: "The account {{name}} is created. Test it before you rely on it.",
  },
  types: {
    webhook: { name: "Webhook", what: "An HTTP request to any URL, with a body of your own." },
    domain_account: {
      name: "DNS records",
      what: "Keeps records of a domain account in step, with the port where the record type has room for it.",
    },
    cloudflare_origin_rule: {
      name: "Cloudflare origin rule",
      what: "Keeps the destination port of one origin rule in step.",
    },
    aliyun_esa: {
      name: "Alibaba Cloud ESA",
      what: "Keeps the ports of one origin rule in step.",
    },
    tencent_edgeone: {
      name: "Tencent Cloud EdgeOne",
      what: "Keeps port and address of one rule's origin in step.",
    },
    registry_node: {
      name: "Node of this registry",
      what: "Keeps one connection of a node record here in step.",
    },
  },
  field: {
    api_token: "API token",
    zone_id: "Zone ID",
    rule_id: "Rule ID",
    base_url: "API address",
    access_key_id: "Access key ID",
    access_key_secret: "Access key secret",
    site_id: "Site ID",
    secret_id: "Secret ID",
    secret_key: "Secret key",
    update_origin_ip: "Keep the origin's address in step",
    url: "URL",
    method: "Method",
    headers: "Headers",
    body_template: "Body template",
    signing_secret: "Signing secret",
    success_contains: "Answer must contain",
    domain_account_id: "Domain account",
    node_id: "Node",
    transport: "Connection",
  },
  hint: {
    cloudflare_origin_rule: {
      api_token: "With Zone → Origin Rules → Edit, for this zone only.",
      zone_id: "On the zone's overview page.",
      rule_id:
        "Of the rule, not of the ruleset. With a wrong one, the test lists the rules there are.",
      base_url: "Empty: Cloudflare's own.",
    },
    aliyun_esa: {
      access_key_id: "Of a RAM user made for this.",
      access_key_secret: "Shown once when the key is made.",
      site_id: "The number in the console's address.",
      rule_id: "ConfigId of the rule in ListOriginRules.",
      base_url: "Empty: mainland China. International: https://esa.ap-southeast-1.aliyuncs.com",
    },
    tencent_edgeone: {
      secret_id: "Of a CAM sub-user made for this.",
      secret_key: "Shown once when the key is made.",
      site_id: "Begins with zone-, on the site's page.",
      rule_id: "Begins with rule-, in DescribeL7AccRules.",
      update_origin_ip: "Switch it off when the origin is a name that is kept in step elsewhere.",
      base_url: "Empty: mainland China. International: https://teo.intl.tencentcloudapi.com",
    },
    webhook: {
      url: "May hold names; their values are percent-encoded.",
      method: "GET sends no body.",
      headers: "One Name: value a line; values may hold names.",
      body_template: "Empty: a JSON object with everything that happened.",
      signing_secret:
        "Signs each request as Standard Webhooks does: whsec_ and Base64, or any text.",
      success_contains:
        "Besides a 2xx status, this text must stand in the answer. Without it, the run fails.",
    },
    domain_account: { domain_account_id: "Where the records are." },
    registry_node: {
      node_id: "Search by name, region, tag or owner.",
      transport:
        "The connection of this type gets the public address; it is added if the node has none.",
    },
  },
  moreWebhook: "Signing and success",
  choose: "Choose …",
  noDomains: "There is no domain account yet.",
  newDomain: "Create one first",
  nodeChoice: "{{name}} (#{{id}}, {{owner}})",
  noNodes: "No node fits",
  asRule: "As the rule: UDP or TCP",
  record: {
    title: "Record {{number}}",
    add: "Add a record",
    remove: "Remove {{title}}",
    type: "Type",
    name: "Name",
    ttl: "TTL",
    seconds: "s",
    kept: "kept",
    ip4p: "Encode address and port (IP4P)",
    ip4pHint: "One IPv6 address says IPv4 address and port; for clients that know IP4P.",
    priority: "Priority",
    weight: "Weight",
    target: "Target",
    targetHint:
      "The host that the service is at. For HTTPS and SVCB, a dot is the record's own name.",
    alpn: "Protocols (ALPN)",
    alpnHint: "Separated by commas. Empty: kept.",
    template: "Text",
    templateHint: "May hold names, such as public_address. Empty: address:port.",
    what: {
      A: "The public IPv4 address. It has no room for the port.",
      AAAA: "The public IPv6 address, or IPv4 address and port as IP4P.",
      SRV: "Host and port of a service, for clients that look it up: Minecraft, SIP, XMPP.",
      HTTPS: "Port and protocols of a web site, for current browsers.",
      SVCB: "Like HTTPS, for other services.",
      TXT: "Any text, for your own scripts.",
    },
  },
  template: {
    names: "Insert a name where you were typing:",
    filters: "Filters change how a value is written",
    preview: "Preview",
    nothing: "What is sent stands here as you type.",
    with: "Values of the preview",
    examples: "Example values",
    header: "Header",
    position: "Line {{line}}, column {{column}}:",
    place: {
      json: "escaped for JSON",
      form: "encoded for a form",
      text: "plain text",
    },
    name: {
      public_ip: "public IP address now",
      public_port: "mapped port now",
      public_address: "address and port together",
      rule_name: "name of the STUN rule",
      rule_id: "number of the STUN rule",
      transport: "udp or tcp",
      previous_ip: "address before; nothing the first time",
      previous_port: "port before; nothing the first time",
      event:
        "what happened: stun_ip_change, stun_port_change, stun_ip_and_port_change, manual or test",
      changed: "ip, port or ip,port",
      run_id: "number of the run",
      timestamp: "time, ISO 8601 in UTC",
      ip4p: "address and port as one IPv6 address",
    },
    filter: {
      json: "A JSON literal with its quotes; null without a value.",
      url: "Percent-encoded.",
      base64: "Base64 of the text.",
      default: "Stands in for a missing value.",
      raw: "As it is, whatever that breaks.",
    },
  },
  test: {
    webhook: "Sends a request with the event test, and says what came back.",
    reads: "Only reads at the target, and says what it found. Nothing is changed there.",
  },
  recipe: {
    title: "Before you start",
    policy: "Policy with only the rights that are needed",
    console: "Open the provider's console",
    cloudflare_origin_rule: {
      first:
        "In your zone, under Rules → Origin Rules, create a rule: your host name, destination port, rewrite to any port.",
      second:
        "Under My Profile → API Tokens, create a custom token: Zone → Origin Rules → Edit, for this zone only.",
      third:
        "The zone ID is on the zone's overview page. For the rule ID, enter anything and run the test: it lists the rules with their IDs. The address itself is the A record: keep it in step with a DNS account.",
    },
    aliyun_esa: {
      first:
        "In the ESA console, under Rules → Origin Rules of your site, create a rule with an origin port.",
      second:
        "In the RAM console, create a user for programmatic access with the policy below, and an AccessKey.",
      third:
        "The site ID is the number in the console's address; the rule ID is the ConfigId that ListOriginRules shows in API Explorer.",
    },
    tencent_edgeone: {
      first:
        "In the EdgeOne console, under Rule Engine of your site, make a rule with exactly one Modify Origin action of type IP/Domain.",
      second:
        "In the CAM console, create a sub-user for programmatic access with the policy below, and an API key.",
      third:
        "The site ID begins with zone- and stands on the site's page; the rule ID begins with rule- and is listed by DescribeL7AccRules in API Explorer.",
    },
    webhook: {
      first:
        "Any HTTP address that this service can reach will do. Private addresses are allowed unless the service is set to public targets only.",
      second:
        "Credentials go into a header, such as Authorization. The history hides the values of headers and query keys named like credentials, but not a secret within the path.",
      third:
        "A status of 2xx within 30 seconds is success. Time-outs, 408, 425, 429 and 5xx are tried again, from 5 seconds up to an hour later.",
    },
    domain_account: {
      first: "First make a domain account with the credentials of your DNS provider.",
      second:
        "List the records that shall follow the public address. A record that does not exist is made.",
      third:
        "Only the value changes; TTL, comments and other values stay. Use a low TTL, so that a new address is seen soon.",
    },
    registry_node: {
      first: "Choose any node of this registry; no credential is needed.",
      second: "Address and port of the one connection are replaced; all else of the node stays.",
      third: "Each change stands in the audit log.",
    },
  },
  delete: {
    action: "Delete account",
    what: "The stored credentials are deleted. Revoke them at the provider, too, if nothing else uses them. The run history stays.",
    used: "These tasks use the account. Delete them or give them another account first:",
    done: "The account {{name}} is deleted",
  },
};

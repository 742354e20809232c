#!/bin/sh
# Installs what the tests need and npm does not bring. Does nothing when everything is there;
# otherwise it needs root on a Debian system.
set -eu

# Where servers lie, whether or not the caller looks there.
PATH="$PATH:/usr/sbin"
missing=""
units=""
# The simulated power cut is a small C library.
command -v cc >/dev/null || missing="$missing gcc libc6-dev"
# Name servers that take updates. The tests start their own, on free ports in temporary folders.
command -v named >/dev/null || { missing="$missing bind9" && units="$units named.service"; }
command -v pdns_server >/dev/null || { missing="$missing pdns-server" && units="$units pdns.service"; }
[ -e "/usr/lib/$(uname -m)-linux-gnu/pdns/libgsqlite3backend.so" ] ||
  missing="$missing pdns-backend-sqlite3"
# PostgreSQL with the tools that back it up: those must not be older than the server.
ls /usr/lib/postgresql/*/bin/pg_basebackup >/dev/null 2>&1 ||
  { missing="$missing postgresql" && units="$units postgresql.service"; }
# Reads the metrics, and evaluates alert rules and the dashboard.
command -v prometheus >/dev/null ||
  { missing="$missing prometheus" && units="$units prometheus.service"; }
# The browser that the tests of the web app drive, and letters to see Chinese pages with.
[ -x /usr/bin/chromium ] || missing="$missing chromium fonts-wqy-microhei"
# The laboratory: STUN servers, and routers in network namespaces.
command -v turnserver >/dev/null || { missing="$missing coturn" && units="$units coturn.service"; }
command -v miniupnpd >/dev/null ||
  { missing="$missing miniupnpd miniupnpd-nftables" && units="$units miniupnpd.service"; }
command -v nft >/dev/null || missing="$missing nftables"
command -v ip >/dev/null || missing="$missing iproute2"
command -v conntrack >/dev/null || missing="$missing conntrack"
command -v socat >/dev/null || missing="$missing socat"
# Reverse proxies, set up by the files of `packaging`.
command -v nginx >/dev/null || { missing="$missing nginx-light" && units="$units nginx.service"; }
command -v caddy >/dev/null || { missing="$missing caddy" && units="$units caddy.service"; }

[ -z "$missing" ] && exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "The tests need these Debian packages:$missing" >&2
  exit 1
fi

# Nobody asked for a server on this machine: those that come with the packages are not started,
# now or at the next boot.
policy=/usr/sbin/policy-rc.d
if [ -n "$units" ] && [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
fi
apt-get update -qq
# shellcheck disable=SC2086 -- a list of names
DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing
if [ -n "$units" ] && command -v systemctl >/dev/null; then
  # shellcheck disable=SC2086 -- a list of names
  systemctl disable --quiet $units || echo "Still enabled for the next boot:$units" >&2
fi

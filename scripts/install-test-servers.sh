#!/bin/sh
# Installs what the tests need and npm does not bring. Does nothing when everything is there;
# otherwise it needs root on a Debian system.
set -eu

missing=""
# The simulated power cut is a small C library.
command -v cc >/dev/null || missing="$missing gcc libc6-dev"

[ -z "$missing" ] && exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "The tests need these Debian packages:$missing" >&2
  exit 1
fi
apt-get update -qq
# shellcheck disable=SC2086 -- a list of names
DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing

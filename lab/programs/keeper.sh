#!/bin/sh
# Clears a laboratory away: its processes, its namespaces, its folder. Does so when its input ends,
# be it closed by the laboratory or because the laboratory's process died.
# Arguments: the folder, then the namespaces.
set -u

folder="$1"
shift
cat >/dev/null

for namespace in "$@"; do
  [ -e "/run/netns/$namespace" ] || continue
  while pids="$(ip netns pids "$namespace")" && [ -n "$pids" ]; do
    # shellcheck disable=SC2086 -- a list of numbers
    kill -KILL $pids 2>/dev/null
    sleep 0.02
  done
  ip netns delete "$namespace"
done
rm -rf "$folder"

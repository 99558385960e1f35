#!/usr/bin/env bash
# Starts pgbouncer in transaction mode in front of a cluster, and prints the temporary folder that contains its Unix
# socket. When the given process ends, pgbouncer is stopped and the folder is removed.
#
# usage: pooler.sh PROCESS FOLDER-OF-CLUSTER CONNECTIONS USER…
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/servers.sh"
pgbouncer="$(find_server pgbouncer)" || { echo "pooler.sh: pgbouncer was not found; './run test --all' downloads it" >&2; exit 3; }
process="$1"
server="$2"
connections="$3"
shift 3

folder="$(server_folder trellis-pooler)"
printf '"%s" ""\n' "$@" >"$folder/users"
cat >"$folder/pgbouncer.ini" <<END
[databases]
* = host=$server port=5432
[pgbouncer]
listen_addr =
listen_port = 6432
unix_socket_dir = $folder
auth_type = trust
auth_file = $folder/users
pool_mode = transaction
default_pool_size = $connections
max_client_conn = 400
logfile = $folder/log
pidfile = $folder/pid
END
(close_files && as_user "$pgbouncer" -q -d "$folder/pgbouncer.ini") </dev/null >/dev/null 2>&1
for _ in {1..300}; do
  if [ -S "$folder/.s.PGSQL.6432" ] && [ -s "$folder/pid" ]; then break; fi
  sleep 0.1
done
[ -s "$folder/pid" ] || { cat "$folder"/log >&2; exit 1; }

# Stops pgbouncer when the process ends or the folder is removed.
watch() {
  local pooler
  trap '' HUP INT TERM
  read -r pooler <"$folder/pid"
  while kill -0 "$process" 2>/dev/null && [ -d "$folder" ]; do sleep 1; done
  # pgbouncer may have inherited a mask that blocks other signals, and it has nothing to save.
  kill -KILL "$pooler" 2>/dev/null || true
  rm -rf "$folder"
}
(close_files && watch) </dev/null >/dev/null 2>&1 &

printf '%s\n' "$folder"

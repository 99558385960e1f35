#!/usr/bin/env bash
# Runs private PostgreSQL clusters in temporary folders. They are not reachable through the network.
#
# usage: cluster.sh create PROCESS [SETTING=VALUE…]
#        cluster.sh standby PROCESS PRIMARY [SETTING=VALUE…]
#        cluster.sh start|stop|kill|promote FOLDER
#
# `create` and `standby` print the folder, which contains the Unix socket, and the folder that contains PostgreSQL's
# programs. The cluster is stopped and removed when the given process ends.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/servers.sh"
bin="$(find_server initdb)" || { echo "cluster.sh: no PostgreSQL server was found; './run test' downloads one" >&2; exit 1; }
bin="${bin%/*}"
command="$1"
shift

# Starts a folder's server. Tries several times, because a killed server's memory is in use until its last process ends.
start() {
  local attempt
  for attempt in 1 2 3 4 5 6 7 8 9 10; do
    [ "$attempt" -eq 1 ] || sleep 0.2
    if (close_files && as_user "$bin/pg_ctl" -D "$1/data" -l "$1/server.log" -w -t 60 start) >/dev/null 2>&1; then
      return 0
    fi
  done
  return 1
}

# Kills all processes of a folder's server with SIGKILL, so that they cannot finish or clean up.
kill_server() {
  local postmaster children
  read -r postmaster <"$1/data/postmaster.pid"
  read -r children <"/proc/$postmaster/task/$postmaster/children" || true
  # shellcheck disable=SC2086
  kill -KILL "$postmaster" $children 2>/dev/null || true
}

case "$command" in
  start) start "$1" && exit ;;
  stop) as_user "$bin/pg_ctl" -D "$1/data" -w -m fast stop >/dev/null 2>&1 && exit ;;
  kill) kill_server "$1" && exit ;;
  promote) as_user "$bin/pg_ctl" -D "$1/data" -w -t 60 promote >/dev/null 2>&1 && exit ;;
esac
if [ "$command" != create ] && [ "$command" != standby ]; then
  cat "$1"/*log >&2
  exit 1
fi

process="$1"
shift
folder="$(server_folder trellis-pg)"
cd "$folder"

if [ "$command" = standby ]; then
  as_user "$bin/pg_basebackup" -h "$1" -U trellis -D "$folder/data" -R -X stream -c fast --no-sync \
    >"$folder/log" 2>&1 || { cat "$folder"/*log >&2; exit 1; }
  shift
else
  # Use a collation that differs from byte order, so that a statement that lacks COLLATE gives wrong results.
  as_user "$bin/initdb" -D "$folder/data" -U trellis -A trust -E UTF8 --no-sync \
    --locale-provider=icu --icu-locale=en --locale=C.UTF-8 >"$folder/log" 2>&1 ||
    as_user "$bin/initdb" -D "$folder/data" -U trellis -A trust -E UTF8 --no-sync --locale=C.UTF-8 >"$folder/log" 2>&1 ||
    { cat "$folder"/*log >&2; exit 1; }
fi
# A standby's configuration is copied from its primary. The last value of each setting applies.
{
  printf "listen_addresses = ''\nunix_socket_directories = '%s'\n" "$folder"
  printf 'fsync = off\nfull_page_writes = off\nmax_connections = 400\nshared_buffers = 128MB\n'
  printf 'max_prepared_transactions = 10\n'
  for setting in "$@"; do printf '%s\n' "$setting"; done
} >>"$folder/data/postgresql.conf"
start "$folder" || { cat "$folder"/*log >&2; exit 1; }

# Stops and removes the cluster when the process ends.
watch() {
  trap '' HUP INT TERM
  while kill -0 "$process" 2>/dev/null; do sleep 1; done
  as_user "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$folder"
}
(close_files && watch) </dev/null >/dev/null 2>&1 &

printf '%s\n%s\n' "$folder" "$bin"

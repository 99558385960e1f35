#!/usr/bin/env bash
# Runs private PostgreSQL clusters in temporary folders. They are not reachable through the network.
#
# usage: cluster.sh create PROCESS [SETTING=VALUE…]
#        cluster.sh standby PROCESS PRIMARY [SETTING=VALUE…]
#        cluster.sh start|stop|kill|promote FOLDER
#
# `create` and `standby` print the folder, which contains the Unix socket, and the folder of PostgreSQL's programs. The
# cluster is stopped and removed when the given process has ended.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/servers.sh"
bin="$(find_server initdb)" || { echo "cluster.sh: there is no PostgreSQL server; './run test' downloads it" >&2; exit 1; }
bin="${bin%/*}"
command="$1"
shift

# Starts the server of a folder. The memory of a killed server is in use until the last of its processes has ended.
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

# Ends all processes of the server of a folder with SIGKILL. They have no time to finish or to clean up.
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
  # A collation other than that of bytes, so that a statement without COLLATE gives wrong answers.
  as_user "$bin/initdb" -D "$folder/data" -U trellis -A trust -E UTF8 --no-sync \
    --locale-provider=icu --icu-locale=en --locale=C.UTF-8 >"$folder/log" 2>&1 ||
    as_user "$bin/initdb" -D "$folder/data" -U trellis -A trust -E UTF8 --no-sync --locale=C.UTF-8 >"$folder/log" 2>&1 ||
    { cat "$folder"/*log >&2; exit 1; }
fi
# The configuration of a standby is a copy of that of its primary. The last value of a setting counts.
{
  printf "listen_addresses = ''\nunix_socket_directories = '%s'\n" "$folder"
  printf 'fsync = off\nfull_page_writes = off\nmax_connections = 400\nshared_buffers = 128MB\n'
  printf 'max_prepared_transactions = 10\n'
  for setting in "$@"; do printf '%s\n' "$setting"; done
} >>"$folder/data/postgresql.conf"
start "$folder" || { cat "$folder"/*log >&2; exit 1; }

# Stops the cluster when the process has ended.
watch() {
  trap '' HUP INT TERM
  while kill -0 "$process" 2>/dev/null; do sleep 1; done
  as_user "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$folder"
}
(close_files && watch) </dev/null >/dev/null 2>&1 &

printf '%s\n%s\n' "$folder" "$bin"

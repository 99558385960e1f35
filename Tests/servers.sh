#!/usr/bin/env bash
# Finds, downloads and runs the PostgreSQL server and pgbouncer for tests. `run`, `cluster.sh` and `pooler.sh` source this
# file.

# The folder for downloaded programs. If the tests run as root, the programs run as a different user, who may have no
# access to the build folder.
servers="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/.build/servers"
[ "$(id -u)" -ne 0 ] || servers=/var/cache/trellis-servers

# Prints the path of `initdb` or `pgbouncer`: the newest installed version, or else the downloaded one.
find_server() {
  local path
  for path in $(find /usr/lib/postgresql/*/bin -name "$1" 2>/dev/null | sort -t / -k 5 -nr) "$(type -P "$1")" \
    "/usr/sbin/$1" "$servers/bin/$1"; do
    if [ -x "$path" ]; then
      # The link is resolved, because the other user may have no access to its folder.
      readlink -f "$path"
      return
    fi
  done
  return 1
}

# Downloads a Debian or Ubuntu package and its missing dependencies, and unpacks them. This requires no root privileges,
# installs nothing and runs no package scripts, so no service, user or database is created.
download_server() (
  umask 022
  shopt -s nullglob
  work="$servers/download"
  mkdir -p "$work/lists/partial" "$work/archives/partial" "$servers/bin"
  {
    printf 'Dir::Cache "%s";\nDir::State::lists "%s";\n' "$work" "$work/lists"
    printf 'Debug::NoLocking "true";\nAcquire::Languages "none";\n'
    # Removes the commands that the system runs before and after an update.
    printf '#clear %s;\n' APT::Update::Pre-Invoke APT::Update::Post-Invoke APT::Update::Post-Invoke-Success
  } >"$work/configuration"
  apt-get -qq -c "$work/configuration" update
  apt-get -qq -c "$work/configuration" install -y --no-install-recommends --download-only "$1" || exit
  for package in "$work"/archives/*.deb; do dpkg-deb -x "$package" "$servers" || exit; done
  rm -rf "$work"
  libraries="$(printf '%s:' "$servers"/{usr/,}lib/*-linux-gnu*)"
  # Clients that are already installed are not part of the download, so they get a wrapper as well.
  for program in /usr/lib/postgresql/*/bin/{psql,pg_basebackup} \
    "$servers"/usr/lib/postgresql/*/bin/* "$servers"/usr/sbin/pgbouncer*; do
    printf '#!/bin/sh\nLD_LIBRARY_PATH="%s" exec "%s" "$@"\n' "${libraries%:}" "$program" >"$servers/bin/${program##*/}"
    chmod +x "$servers/bin/${program##*/}"
  done
)

# PostgreSQL and pgbouncer refuse to run as root.
as_user() {
  if [ "$(id -u)" -eq 0 ]; then runuser -u "$server_user" -- "$@"; else "$@"; fi
}
server_user="$(id -un)"
if [ "$(id -u)" -eq 0 ]; then
  server_user=nobody
  if id -u postgres >/dev/null 2>&1; then server_user=postgres; fi
fi

# Creates a temporary folder for a server and prints it.
server_folder() {
  local folder
  folder="$(mktemp -d "/tmp/$1.XXXXXX")"
  chmod 755 "$folder"
  [ "$(id -u)" -ne 0 ] || chown "$server_user" "$folder"
  printf '%s\n' "$folder"
}

# Closes the files that this shell has inherited. A process that outlives this script would otherwise keep them open,
# and the caller would wait until they are closed.
close_files() {
  local file number
  for file in "/proc/$BASHPID/fd/"*; do
    number="${file##*/}"
    if [ "$number" -gt 2 ]; then eval "exec $number>&-"; fi
  done
}

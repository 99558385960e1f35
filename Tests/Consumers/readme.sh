#!/usr/bin/env bash
# Tests the README: builds a package from its code blocks, runs it twice and checks that the second run finds the rows
# of the first one. Then it follows the article for SwiftData apps and, with two processes and a private server, the
# article about the server store. The three packages share one data folder, as they do on a reader's machine. The
# argument is a scratch folder that is kept between runs. The packages share this package's build folder, so that the
# library is not compiled twice.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
scratch="${1:-$root/.build/consumers}"
work="$scratch/readme"

fail() {
  printf 'readme.sh: %s\n' "$1" >&2
  exit 1
}

# Repeats a build once after a crash of the toolchain, and prints a note.
build() {
  local status=0 attempt
  for attempt in 1 2; do
    status=0
    swift build --scratch-path "$root/.build" >"$work/log" 2>&1 || status=$?
    [ "$status" -ge 128 ] || grep -qE 'Stack dump:|Program crashed' "$work/log" || break
    echo "the toolchain crashed (exit $status) in attempt $attempt" >&2
  done
  [ "$status" -eq 0 ] || cat "$work/log" >&2
  return "$status"
}

# Prints the code block that follows a line with NAME in backticks, in the README or another file.
block() {
  local name="\`$1\`" text="${2:-$root/README.md}" line state=before
  while IFS= read -r line; do
    case "$state" in
      before) [ "$line" = "$name" ] && state=named ;;
      named) [[ "$line" == '```'* ]] && state=inside ;;
      inside)
        [ "$line" = '```' ] && return 0
        printf '%s\n' "$line"
        ;;
    esac
  done <"$text"
  fail "${text##*/} has no block for $name"
}

# Writes code blocks of a file into the package.
write_blocks() {
  local text="$1" file
  shift
  for file in "$@"; do
    block "$file" "$text" >"$work/block"
    # Keep the date of an unchanged file, so that it is not compiled again.
    cmp -s "$work/block" "$package/$file" || cp "$work/block" "$package/$file"
  done
}

# Changes to the package NAME, which contains code blocks of a file.
package() {
  local name="$1" text="$2"
  shift 2
  package="$work/$name"
  mkdir -p "$package/Sources/$name"
  write_blocks "$text" Package.swift "$@"
  cd "$package"
  printf '%s of %s\n' "$name" "${text##*/}"
}

export TRELLIS="$root" XDG_DATA_HOME="$work/data"
rm -rf "$XDG_DATA_HOME"
package Journeys "$root/README.md" Sources/Journeys/Journeys.schema Sources/Journeys/main.swift
build
for run in 1 2; do
  output="$(swift run --scratch-path "$root/.build" --skip-build Journeys)"
  printf '%s\n' "$output"
  count="$(grep -c '^Northern lights .*\["Dog sledding", "Sauna"\]$' <<<"$output")" || true
  [ "$count" -eq "$run" ] || fail "run $run should print $run journeys, not $count"
done
store="$XDG_DATA_HOME/Journeys/default.store"
[ -s "$store" ] || fail "the store is not where the README says"

# Runs the README's query in a program without Trellis and compares the result with the README.
query="$(sed -n "s/^\$ sqlite3 .*default.store '\(.*\)'$/\1/p" "$root/README.md")"
shell="$(swift build --package-path "$root" --show-bin-path)/StoreShell"
[ -x "$shell" ] || swift build --package-path "$root" --product StoreShell >&2
answer="$("$shell" "$store" "$query")"
printf '%s\n' "$answer"
[ "$answer" = "$(sed -n '/^\$ sqlite3 /,/^```/{/^[$`]/!p;}' "$root/README.md")" ] ||
  fail "the store does not answer '$query' as the README says"

# Makes the README's mistake and compares the error and its line.
cp Sources/Journeys/Journeys.schema "$work/schema"
sed -i.bak 's/start: Date$/start: Dat/' Sources/Journeys/Journeys.schema
rm -f Sources/Journeys/Journeys.schema.bak
status=0
build 2>/dev/null || status=$?
cp "$work/schema" Sources/Journeys/Journeys.schema
[ "$status" -ne 0 ] || fail "a schema with a mistake was built"
message="$(grep -F '.schema:' "$root/README.md" | head -1)"
grep -qF "$message" "$work/log" || {
  cat "$work/log" >&2
  fail "the build does not say: $message"
}

# Follows the article: a program written for Apple's module works at the first attempt.
package Roadtrips "$root/Sources/Runtime/Trellis/Trellis.docc/ComingFromSwiftData.md" \
  Sources/Roadtrips/Journey.swift Sources/Roadtrips/main.swift
build
for run in 1 2; do
  output="$(swift run --scratch-path "$root/.build" --skip-build Roadtrips)"
  [ "$output" = '["Northern lights"]' ] || fail "run $run of the article's program prints '$output'"
done

# Follows the article: two processes share a server.
package JourneyServer "$root/Sources/Runtime/TrellisPostgres/TrellisPostgres.docc/AServerStore.md" \
  Sources/JourneyServer/main.swift
cp -p ../Journeys/Sources/Journeys/Journeys.schema Sources/JourneyServer/
build
{ read -r place && read -r _; } < <(bash "$root/Tests/cluster.sh" create $$)
program="$(swift build --scratch-path "$root/.build" --show-bin-path)/JourneyServer"
url="postgres://trellis@/postgres?host=$place"
"$program" "$url" Winter &
"$program" "$url" Summer
wait $! || fail "one of two processes has failed"
names="$("$program" "$url" Spring | sort)"
printf '%s\n' "$names"
[ "$names" = $'Spring\nSummer\nWinter' ] || fail "the two processes have saved '$names'"

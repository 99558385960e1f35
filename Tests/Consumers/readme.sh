#!/usr/bin/env bash
# Tests the README: builds a package from its code blocks, runs it twice and checks that the second run finds the rows
# of the first one. The argument is a scratch folder that is kept between runs and can contain the build of `run.sh`.
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
    swift build --scratch-path "$scratch/build" >"$work/log" 2>&1 || status=$?
    [ "$status" -ge 128 ] || grep -qE 'Stack dump:|Program crashed' "$work/log" || break
    echo "the toolchain crashed (exit $status) in attempt $attempt" >&2
  done
  cat "$work/log" >&2
  return "$status"
}

# Prints the code block after a line with NAME in backticks.
block() {
  local name="\`$1\`" line state=before
  while IFS= read -r line; do
    case "$state" in
      before) [ "$line" = "$name" ] && state=named ;;
      named) [[ "$line" == '```'* ]] && state=inside ;;
      inside)
        [ "$line" = '```' ] && return 0
        printf '%s\n' "$line"
        ;;
    esac
  done <"$root/README.md"
  fail "the README has no block for $name"
}

package="$work/Journeys"
mkdir -p "$package/Sources/Journeys"
for file in Package.swift Sources/Journeys/Journeys.schema Sources/Journeys/main.swift; do
  block "$file" >"$work/block"
  # Keep the date of an unchanged file, so that it is not compiled again.
  cmp -s "$work/block" "$package/$file" || cp "$work/block" "$package/$file"
done

export TRELLIS="$root" XDG_DATA_HOME="$work/data"
rm -rf "$XDG_DATA_HOME"
cd "$package"
build
for run in 1 2; do
  output="$(swift run --scratch-path "$scratch/build" --skip-build Journeys)"
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

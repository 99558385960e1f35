#!/usr/bin/env bash
# Follows the tutorial: writes the files that its five articles show, runs their commands in a package in a scratch
# folder, and compares the output with the text that follows each command. The argument is the scratch folder. The package
# shares the build folder of this one, so that the library is not compiled twice.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
scratch="${1:-$root/.build/consumers}/tutorial"
articles="$root/Sources/Runtime/Trellis/Trellis.docc/Tutorial"
export TRELLIS="$root" XDG_DATA_HOME="$scratch/data"

rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"

# Commands of the articles use this package's build folder.
swift() { command swift "$1" --scratch-path "$root/.build" "${@:2}" 2>>"$scratch/log"; }

fail() {
  cat "$scratch/log" >&2
  printf 'tutorial.sh: %s\n' "$1" >&2
  exit 1
}

# Runs the commands of a block in this shell, because they change the folder. Keeps the output in `output`.
perform() {
  : >"$scratch/log"
  eval "$1" >"$scratch/output" || fail "$article: a command fails: $1"
  case "$1" in *'&'*'wait'*) sort -o "$scratch/output" "$scratch/output" ;; esac
}

# Compares a block with the output of the preceding commands; two processes print in any order.
compare() {
  case "$commands" in *'&'*'wait'*) expected="$(sort <<<"${1%$'\n'}")" ;; *) expected="${1%$'\n'}" ;; esac
  [ "$(cat "$scratch/output")" = "$expected" ] ||
    fail "$article: after '${commands%$'\n'}' the output is not as shown:"$'\n'"$(cat "$scratch/output")"
  compared=$((compared + 1))
}

compared=0
for article in FirstRows Relationships Queries SecondRelease SecondProcess; do
  printf 'step %s of the tutorial\n' "$article"
  file='' commands='' language='' block=''
  while IFS= read -r line; do
    case "$language:$line" in
      :'```'*) language="${line#\`\`\`}" block='' ;;
      :'`'*'`') file="${line//\`/}" ;;
      :?*) [ "$line" = '' ] || file='' ;;
      swift:'```')
        if [ -n "$file" ]; then
          mkdir -p "$(dirname "$file")"
          printf '%s' "$block" >"$file"
        fi
        language='' file=''
        ;;
      sh:'```')
        commands="$block" language=''
        perform "$commands"
        ;;
      text:'```')
        [ -z "$commands" ] || compare "$block"
        commands='' language=''
        ;;
      *) [ -z "$language" ] || block="$block$line"$'\n' ;;
    esac
  done <"$articles/Tutorial$article.md"
done
[ "$compared" -ge 9 ] || fail "only $compared outputs were compared"

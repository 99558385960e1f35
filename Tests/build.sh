#!/usr/bin/env bash
# Builds with a progress line. `run` sources this file.

# Builds a package. If the toolchain crashes, the sources may still be correct, so the build is repeated once. Tests are
# not repeated, because a crash in a test is a bug in this package.
build() {
  local log=.build/build.log attempt status
  mkdir -p .build
  for attempt in 1 2; do
    status=0
    swift build "$@" 2>&1 | tee "$log" | progress >&2 || status=$?
    [ "$status" -ne 0 ] || return 0
    [ "$status" -ge 128 ] || grep -qE 'Stack dump:|Program crashed' "$log" || break
    say "the toolchain crashed (exit $status) in attempt $attempt: swift build $*"
  done
  cat "$log" >&2
  return "$status"
}

# Filters the output of a build or a test run: prints errors, warnings, failures and the last line. Other output only
# updates a progress line: in place on a terminal, otherwise every ten seconds. For tests, the argument is their event
# file, because concurrent tests print their results only at the end.
progress() {
  local line part='' step='' begun=$SECONDS shown=$SECONDS interval=10 status
  [ ! -t 1 ] || interval=1
  while :; do
    line='' status=0
    IFS= read -r -t "$interval" line || status=$?
    part="$part$line"
    if [ "$status" -eq 0 ]; then
      case "$part" in
        '['*/*']'*) step="${part%%]*}]" ;;
        '↳ Testing Library Version'* | '↳ Target Platform'* | *'" to '*' started.') ;;
        '✔ Test run with '*) print_line "$part"$'\n' ;;
        '◇'* | '✔'*) ;;
        # A linker warning about Foundation's static library.
        *"use of \`mktemp' is dangerous"*) ;;
        'Build complete!'* | '✘'* | '↳'* | *'recorded an issue'* | *error:* | *warning:* | \
          *'Fatal error'* | *'signal code'*) print_line "$part"$'\n' ;;
      esac
      part=''
    elif [ "$status" -le 128 ]; then
      break
    fi
    if [ $((SECONDS - shown)) -ge "$interval" ]; then
      shown=$SECONDS
      if [ $# -gt 0 ]; then step="$(grep -c '"testCaseEnded"' "$1" || true) tests"; fi
      print_line "    ${step:-started} after $((SECONDS - begun)) s"
      [ -t 1 ] || printf '\n'
    fi
  done
  print_line ''
}

# Prints text, which replaces the progress line on a terminal.
print_line() {
  [ ! -t 1 ] || printf '\r\033[K'
  printf '%s' "$1"
}

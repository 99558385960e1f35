#!/usr/bin/env bash
# The phases of `./run test`, which sources this file.

apps="Clinic Newsroom Orchard Workshop"

test_package() {
  local option all=false
  for option in "$@"; do
    shift
    if [ "$option" = --all ]; then all=true; else set -- "$@" "$option"; fi
  done
  need_postgres
  # Use a fixed seed, so that a new failure is caused by a change. `./run soak`, `./run fuzz` and `swift test` use
  # random seeds.
  export TRELLIS_SEED="${TRELLIS_SEED:-1}" TRELLIS_ROUNDS="${TRELLIS_ROUNDS:-$($all && echo 20 || echo 1)}"
  if $all; then export TRELLIS_ALL=1 TRELLIS_POOLER=1; fi
  if [ "${TRELLIS_POOLER:-0}" = 1 ]; then
    need "find_server pgbouncer" "the tests start it in a temporary folder" pgbouncer pgbouncer pgbouncer pgbouncer
  fi
  if $all; then
    need "type -P nvim" "the tests edit a schema with it" neovim neovim neovim neovim
    need "type -P chromium" "the tests open the studio with it" chromium chromium chromium chromium
  fi
  restrict_path
  phase "checking the format of the sources" check_format
  if $all; then phase "checking the size of the runtime" measure_size --check; fi
  phase "building everything" build --build-tests
  phase "running the tests" run_tests "$@"
  if $all; then phase "building packages that use this one" bash Tests/Consumers/run.sh "$PWD/.build/consumers"; fi
  if $all; then
    phase "editing a schema in Neovim" bash Tests/Consumers/editor.sh "$PWD/.build/consumers" "$PWD/.build/debug"
    phase "opening the studio in Chromium" bash Tests/Consumers/studio.sh "$PWD/.build/consumers" "$PWD/.build/debug"
  fi
  phase "following the README" bash Tests/Consumers/readme.sh "$PWD/.build/consumers"
  phase "following the tutorial" bash Tests/Consumers/tutorial.sh "$PWD/.build/consumers"
  if $all; then
    # Users ship optimised code.
    phase "building in release mode" build_release
    phase "running the sample application in release mode" run_sample
    phase "running applications written for SwiftData in release mode" run_apps
    phase "comparing SQL with Swift in release mode" in_release PredicateLane
    phase "running 150,000 object life cycle steps in release mode" in_release LifeCycleLane
    phase "reading 20,000 mutated files in release mode" in_release StoreFuzz --count 20000
  fi
  say "durations (elapsed, and processor time)"
  printf '%s' "$phases"
  case " $* " in *' --no-parallel '*) slowest suites && slowest tests ;; esac
  say "passed in $((SECONDS / 60)) minutes and $((SECONDS % 60)) seconds${*:+; test options: $*}"
}

# Runs a phase and records its duration and processor time in `phases`.
phase() {
  local name="$1" began=$SECONDS cpu
  shift
  cpu="$(processor_seconds)"
  say "$(printf '[%d:%02d] %s' $((SECONDS / 60)) $((SECONDS % 60)) "$name")"
  "$@"
  phases="$phases$(printf '%6d s %6d s  %s' $((SECONDS - began)) $(($(processor_seconds) - cpu)) "$name")"$'\n'
}
phases=''

# Prints the CPU seconds of this script's child processes.
processor_seconds() { awk '{ print int(($16 + $17) / 100) }' "/proc/$$/stat" 2>/dev/null || echo 0; }

# Restricts the PATH to `swift` and the commands in Tests/commands.txt. A test or a script that calls any other command
# then fails on every machine.
restrict_path() {
  local folder="$PWD/.build/commands" name path
  rm -rf "$folder"
  mkdir -p "$folder"
  # Write scripts instead of symbolic links, because the driver looks for other tools in its own folder.
  for name in swift swiftc clang; do
    path="$(dirname "$(type -P swift)")/$name"
    [ -x "$path" ] || continue
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$path" >"$folder/$name"
    chmod +x "$folder/$name"
  done
  for name in $(sed 's/#.*//' Tests/commands.txt); do
    if path="$(type -P "$name")"; then ln -s "$path" "$folder/$name"; fi
  done
  PATH="$folder"
  hash -r
}

# Checks the format. `swift format --in-place --recursive PATH` fixes violations. The check skips sources that the
# importer reads in tests, because they keep other programs' layouts.
check_format() {
  find Package.swift Plugins Benchmarks/Sources Sources Tests -type f -name '*.swift' \
    -not -path '*/.build/*' -not -path 'Tests/ToolTests/Import/*/*' -exec \
    swift format lint --strict --parallel --configuration .swift-format {} +
}

# Runs the tests with a temporary folder that is removed afterwards.
run_tests() {
  local log=.build/test.log events=.build/test-events.json place status=0
  : >"$events"
  place="$(mktemp -d)"
  # Some tests switch to a different user, who needs access.
  chmod 755 "$place"
  TMPDIR="$place" swift test --skip-build "$@" --event-stream-output-path "$PWD/$events" \
    --event-stream-version 0 2>&1 | tee "$log" | progress "$events" || status=$?
  rm -rf "$place"
  if [ "$status" -ne 0 ]; then
    say "failures (the complete output is in $log):"
    grep -E '^(✘|↳)|recorded an issue|error: |^ *(Fatal error|Crash)|signal code' "$log" | head -n 200 >&2 || true
    return "$status"
  fi
  grep -q '^✔ Test run with [1-9]' "$log" || fail "no test ran with the options: $*"
}

# Prints the slowest suites or tests of a serial run. Concurrent tests are not listed, because they spend most of their
# time waiting.
slowest() {
  printf 'the slowest %s\n' "$1"
  awk -v kind="$1" '
    /"kind":"test(Started|Ended)"/ && /\.swift:[0-9]+:[0-9]+"/ && match($0, /"absolute":[0-9.]+/) {
      time = substr($0, RSTART + 11, RLENGTH - 11)
      match($0, /"testID":"[^"]*"/)
      test = substr($0, RSTART + 10, RLENGTH - 11)
      if (/"kind":"testStarted"/) { began[test] = time; next }
      split(test, parts, /[\\]\//)
      total[kind == "suites" ? parts[1] : parts[1] "/" parts[2]] += time - began[test]
    }
    END { for (name in total) printf "%8.1f s  %s\n", total[name], name }' .build/test-events.json |
    sort -rn | head -n 10 || true
}

# Builds and runs the applications that were written for Apple's SwiftData. Each checks its own results. They reuse the
# object files from this package's release build.
run_apps() {
  local options=(--package-path Tests/Consumers/Shop --scratch-path "$PWD/.build" -c release) bin work app
  export TRELLIS_ROOT="$PWD"
  for app in $apps; do build "${options[@]}" --product "$app"; done
  bin="$(swift build "${options[@]}" --show-bin-path)"
  work="$(mktemp -d)"
  for app in $apps; do
    mkdir "$work/$app"
    "$bin/$app" "$work/$app" || fail "the application $app failed"
  done
  rm -rf "$work"
}

build_release() {
  local product
  for product in trips trips-widget PredicateLane LifeCycleLane StoreFuzz; do build -c release --product "$product"; done
}

# Runs the demo with release builds.
run_sample() {
  PATH="$(swift build -c release --show-bin-path):$PATH" bash Sources/Sample/demo.sh | grep 'Northern lights' >&2 ||
    fail "the demo does not show the added trip in release mode"
}

test_package "$@"

#!/usr/bin/env bash
# Measures the runtime: lines of code without comments and blank lines, files and machine code. `run` sources this file.

# The options are --binary and --check.
measure_size() {
  local option binary=false check=false exceeded=0
  for option in "$@"; do
    case "$option" in
      --binary) binary=true ;;
      --check) check=true ;;
      *) fail "unknown option '$option': 'size' accepts only --binary and --check" ;;
    esac
  done
  find Sources/Runtime -name '*.swift' -exec awk '
    FNR == 1 { module = FILENAME; sub("Sources/Runtime/", "", module); sub("/.*", "", module); files[module]++ }
    /^[ \t]*\/\// { comments[module]++; next }
    NF { code[module]++ }
    END { for (name in code) printf "%7d lines of code %6d of comments %4d files  %s\n", code[name], comments[name], files[name], name }
  ' {} + | sort -rn
  if $binary; then
    say "building the runtime in release mode"
    build -c release --target Trellis
    build -c release --target TrellisPostgres
  fi
  limit 'lines of code of the library' 31000 "$(code_lines $(library))"
  limit 'lines of code of the server store' 4500 "$(code_lines Sources/Runtime/TrellisPostgres)"
  limit 'files of the runtime' 380 "$(find Sources/Runtime -name '*.swift' | awk 'END { print NR }')"
  if $binary; then limit 'bytes of machine code of the library' 4000000 "$(text_size)"; fi
  if $check && [ "$exceeded" -gt 0 ]; then fail "the runtime exceeds $exceeded of its limits"; fi
}

# Prints a value next to its limit, and counts the values that exceed their limits in `exceeded`.
limit() {
  printf '%9d  limit %9d  %s\n' "$3" "$2" "$1"
  if [ "$3" -gt "$2" ]; then exceeded=$((exceeded + 1)); fi
}

# Prints the folders of the modules that every user builds.
library() {
  find Sources/Runtime -mindepth 1 -maxdepth 1 -name 'Trellis*' -not -name TrellisPostgres -not -name TrellisMacros
}

# Counts the lines of code in folders.
code_lines() {
  find "$@" -name '*.swift' -exec awk '!/^[ \t]*\/\// && NF { lines++ } END { print lines + 0 }' {} +
}

# Prints the bytes of machine code and constants in the library's object files.
text_size() {
  local products folder objects=()
  products="$(swift build -c release --show-bin-path)"
  for folder in $(library); do objects+=("$products/${folder##*/}.build"); done
  find "${objects[@]}" -name '*.o' -exec size -t {} + | awk 'END { print $1 }'
}

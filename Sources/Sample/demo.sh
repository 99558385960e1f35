#!/usr/bin/env bash
# Shows the sample application with 2,400 trips in an SQLite file or, with --postgres, on a PostgreSQL server.
# `./run demo` builds the programs and puts them on the PATH.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

with_sqlite() {
  # An application's default store is in the user's data folder. The demo uses a separate folder.
  export XDG_DATA_HOME="$PWD/.build/demo"
  rm -rf "$XDG_DATA_HOME"

  import_trips
  step "Upcoming trips"
  show trips list --from 2027-01-01 --limit 8
  step "The most expensive business trips"
  show trips list --purpose business --sort budget --reverse --limit 5
  step "Search ignores case and accents"
  show trips search musee --limit 6
  step "Search covers bucket lists and places to stay, in any script"
  show trips search 雪 --limit 4
  step "A new trip, with wishes and a place to stay"
  show trips add "Northern lights, at last" --destination Tromsø --start 2027-02-03 \
    --end 2027-02-09 --budget 1800 --wish "Dog sledding" --wish "Sauna, then snow ❄️" \
    --stay "Arctic Harbour Rooms" --booking BR-2F7KQX --street "Sjøgata 11" --country Norway
  step "Two processes: one watches the store, a widget saves the hotel's confirmation"
  watch_the_widget
  step "The application marks that trip as changed, once"
  show trips unread
  show trips unread
  step "The whole trip"
  show trips show northern
  step "Unconfirmed stays"
  show trips list --from 2027-01-01 --unconfirmed --limit 4
  step "Deleting a trip also deletes its wishes and its stay"
  show trips delete "Northern lights, at last"
  step "Deleting many trips takes one fetch and one save"
  show trips delete --ended-before 2025-01-01
  step "The remaining trips"
  show trips stats
  step "A store from the first release: hotels are part of the trips, and one trip was entered twice"
  show trips vintage --store .build/demo/old.store
  step "Opening it migrates it by three versions in one transaction"
  show trips list --store .build/demo/old.store
  show trips show "Porto in a week" --store .build/demo/old.store
  step "Errors show where the mistakes are, and nothing is saved"
  printf '%s\n' name,destination,start,end,budget 'Ski week,Zermatt,2027-01-09,2027-01-16,lots' \
    '"Sailing,Χανιά,2027-06-01,2027-06-08,900' >"$XDG_DATA_HOME/mistakes.csv"
  show_failing trips import .build/demo/mistakes.csv
  show_failing trips serach whales
  step "The file is plain SQLite"
  read_file .build/demo/group-containers/trips/trips.store
  done_after "the store is .build/demo/group-containers/trips/trips.store"
}

with_postgres() {
  local place programs
  printf '==> starting a PostgreSQL server in a temporary folder, with a Unix socket only\n' >&2
  { read -r place && read -r programs; } < <(bash Tests/cluster.sh create $$)
  store=(--store "postgres://trellis@/postgres?host=$place")

  import_trips "${store[@]}"
  step "Upcoming trips"
  show trips list --from 2027-01-01 --limit 8 "${store[@]}"
  step "Search ignores case and accents"
  show trips search musee --limit 6 "${store[@]}"
  step "Two processes add trips at the same time"
  show trips add "Northern lights" --destination Tromsø --start 2027-02-03 --end 2027-02-09 "${store[@]}" &
  show trips add "Midnight sun" --destination Bodø --start 2027-06-20 --end 2027-06-27 "${store[@]}"
  wait $! || fail "the other process failed"
  step "Deleting a trip"
  show trips delete "Midnight sun" "${store[@]}"
  step "The remaining trips"
  show trips stats "${store[@]}"
  step "The tables are plain SQL"
  printf '$ psql\n'
  "$programs/psql" -X -h "$place" -U trellis -d postgres -P pager=off -c \
    'SELECT "name", "destination", "budget" FROM "Trip" WHERE "kind" = $$reunion$$ ORDER BY "startDate" LIMIT 3;'
  done_after "the server stops now, and its folder is removed"
}

import_trips() {
  step "2,400 trips from a file: one save, one transaction"
  show trips import Schemas/SampleTrips/trips.csv "$@"
  step "Importing the file again adds no duplicates, because name and dates identify a trip"
  show trips import Schemas/SampleTrips/trips.csv "$@"
}

# Shows that a background process observes another process's save.
watch_the_widget() {
  local watcher output="$XDG_DATA_HOME/watch.txt"
  printf '$ trips watch --count 1 &\n'
  trips watch --count 1 --for 30 >"$output" &
  watcher=$!
  # Its first line of output shows that it is ready.
  until [ -s "$output" ]; do
    kill -0 "$watcher" 2>/dev/null || fail "'trips watch' ended before anything happened"
    sleep 0.02
  done
  cat "$output"
  show trips-widget BR-2F7KQX
  wait "$watcher" || fail "'trips watch' failed"
  tail -n +2 "$output" | grep . || fail "'trips watch' printed nothing"
}

# Reads a store without Trellis.
read_file() {
  local query="SELECT name, destination, date(startDate + 978307200, 'unixepoch') AS start, budget
  FROM Trip WHERE kind = 'reunion' ORDER BY startDate LIMIT 3;"
  if command -v sqlite3 >/dev/null; then
    show sqlite3 "$1" .tables
    show sqlite3 -box "$1" "$query"
  else
    printf 'The sqlite3 command is not installed. It would read the file:\n  sqlite3 %s .tables\n  sqlite3 %s "%s"\n' \
      "$1" "$1" "$query"
  fi
}

step() {
  if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then printf '\n\033[1m# %s\033[0m\n' "$1"; else printf '\n# %s\n' "$1"; fi
}

# Prints a command in shell syntax and runs it.
show() {
  local word line='$'
  for word in "$@"; do
    case "$word" in
      *\'*) line="$line \"$word\"" ;;
      *[\ \"\;\*\(\?]*) line="$line '$word'" ;;
      *) line="$line $word" ;;
    esac
  done
  printf '%s\n' "$line"
  "$@"
}

show_failing() {
  if show "$@" 2>&1; then fail "'$*' should have failed"; fi
}

done_after() { printf '==> done in %s seconds; %s\n' "$SECONDS" "$1" >&2; }

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

case "$*" in
  '') with_sqlite ;;
  --postgres) with_postgres ;;
  *) fail "unknown option '$*': the demo accepts only --postgres" ;;
esac

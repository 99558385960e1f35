#!/usr/bin/env bash
# The studio in a real browser: headless Chromium loads its views of a store with hostile names and values. The
# arguments are a scratch folder and the folder of the tools.
set -euo pipefail

work="$1/studio"
rm -rf "$work"
mkdir -p "$work"
export PATH="$2:$PATH" HOME="$work"

fail() {
  printf 'studio.sh: %s\n' "$*" >&2
  exit 1
}

cat >"$work/Shop.schema" <<'SCHEMA'
schema Shop 1.0.0

@Model
class Customer {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Order.customer) var orders: [Order] = []
}

@Model
class Order {
    var number: Int
    var customer: Customer?
}
SCHEMA
mkdir "$work/rows"
printf '%s\n' 'id,name' "1,<script>document.title='hacked'</script>" \
  "2,<img src=x onerror=document.title='hacked'>" '3,Ada' >"$work/rows/Customer.csv"
printf '%s\n' 'id,number,customer' '1,17,3' '2,18,3' >"$work/rows/Order.csv"
cp "$work/Shop.schema" "$work/rows/Shop.schema"
trellis-store import --from csv "$work/rows" --into "$work/shop.store" >/dev/null
trellis-store store copy "$work/shop.store" "$work/backup.store" >/dev/null 2>&1
printf '%s\n' '{"sql": "<script>document.title=1</script>", "seconds": 0.25, "purpose": "<b>"}' 'half a li' \
  >"$work/trace.jsonl"

trellis-store studio --no-open --compare "$work/backup.store" --schema "$work/Shop.schema" \
  --trace "$work/trace.jsonl" "$work/shop.store" 2>"$work/output" &
studio=$!
trap 'kill "$studio" 2>/dev/null || true' EXIT
address=''
for _ in {1..100}; do
  address="$(sed -n 's/^ *\(http:.*\)$/\1/p' "$work/output")"
  [ -z "$address" ] || break
  sleep 0.1
done
[ -n "$address" ] || fail "no address was printed: $(cat "$work/output")"

# Prints a view's document after its scripts have run.
view() {
  chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=4000 --dump-dom "$address#$1" \
    2>"$work/chromium.log" || fail "Chromium failed: $(tail -n 3 "$work/chromium.log")"
}

expect() {
  local document
  document="$(view "$1")"
  shift
  for text in "$@"; do
    case "$document" in *"$text"*) ;; *) fail "a view lacks '$text': $document" ;; esac
  done
  case "$document" in *'<title>hacked'*) fail "a stored text was run as a script" ;; esac
}

expect 'entity=Customer' 'Customer' '3 rows' 'document.title=' 'Ada'
expect 'entity=Customer&where=%240.name%20%3D%3D%20%22Ada%22' '1 of 3 rows'
expect 'entity=Customer&where=%240.nmae%20%3D%3D%201' 'nmae'
expect 'entity=Customer&of=Customer&row=3' '2 rows' 'Order 1' 'If it is deleted'
expect 'entity=Order&of=Order&row=1' 'Ada'
expect 'view=search&text=ada' 'Ada'
expect 'view=diagram' 'api/diagram'
expect 'view=comparison' 'backup.store' 'copies of the same store' '3 equal'
expect 'view=migration' 'opening it changes nothing'
expect 'view=statements' '250 ms' 'document.title=1' '1 statement'
expect 'view=statements&order=latest' '250 ms'

# An address without the token answers nothing.
wrong="${address%/*/}/00000000000000000000000000000000/"
case "$(chromium --headless --no-sandbox --disable-gpu --dump-dom "$wrong" 2>/dev/null)" in
  *Customer*) fail 'a page was served without the token' ;;
esac

# A signal ends the studio in order.
kill -TERM "$studio"
wait "$studio" || fail "the studio ended with status $?"

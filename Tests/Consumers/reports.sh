#!/bin/bash
# Validates reports of the tool with the published schemas of their formats, if they are installed:
#
#   Tests/Consumers/reports.sh TOOL [sarif-schema-2.1.0.json] [junit-10.xsd]
#
# TOOL is the built `trellis`. SARIF needs Python with the package `jsonschema`, JUnit needs `xmllint`. The script
# prints skipped checks. `ReportShapeTests` checks the used parts of both formats.
set -u
[ $# -ge 1 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
tool=$(realpath "$1")
sarif=${2:+$(realpath "$2")}
junit=${3:+$(realpath "$3")}
repository=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
made=0

# report NAME ARGUMENT…: writes the `lint` reports of the folder NAME in both formats.
report() {
  local name=$1
  shift
  (cd "$work/$name" && "$tool" lint "$@" --quiet --output "sarif:$work/$name.sarif" --output "junit:$work/$name.xml") \
    >/dev/null 2>"$work/log"
  local status=$?
  case $status in
    0 | 1 | 3) made=$((made + 1)) ;;
    *) echo "FAIL  $name: exit $status"; cat "$work/log"; failures=$((failures + 1)) ;;
  esac
}

put() { mkdir -p "$work/$1" && printf '%s\n' "$3" >"$work/$1/$2"; }

everything="--preset strict --profile history --profile cloudkit --profile swiftdata --profile sqlite --profile portable
  --profile shared-store --enable SYN014"

bad='schema S 1.0.0
@Model class trip { @Attribute(.unique) var code: String?; var Kind_: Kind = Kind.a }
enum Kind: Int { case a, b }'
put empty S.schema 'schema S 1.0.0'
report empty
put clean S.schema 'schema S 1.0.0
@Model class Trip { var name: String }'
report clean
put fixes S.schema "$bad"
report fixes --enable SYN014
put broken S.schema 'schema S 1.0.0
@Model class Trip { var name: Strin; var x: '
report broken
put ignored S.schema "// schema:ignore-file NAM001 -- it is \"meant\", ünd so on
// schema:ignore-file NAM999 -- nothing
$bad"
report ignored
put tolerated S.schema "$bad"
(cd "$work/tolerated" && "$tool" lint --write-baseline --quiet >/dev/null 2>&1)
report tolerated --baseline .schema-baseline.json
put since S.schema "$bad"
(cd "$work/since" && git init -q && git add . && git -c user.name=n -c user.email=n@example.com commit -qm 1)
printf '@Model class other { var x: Int }\n' >>"$work/since/S.schema"
report since --since HEAD
put 'names' "旅 %,:;#?[x]'&<>.schema" 'schema S 1.0.0
@Model class 旅行 { var 名_前: String; var `🚂 und`: Int; @Attribute(.unique) var Ü: Double? }'
report names
for folder in "$repository"/Schemas/*/; do
  name=all-$(basename "$folder")
  mkdir -p "$work/$name" && cp -r "$folder"/. "$work/$name"
  report "$name" $everything
done
for rule in $("$tool" rules --all --no-config --format json | sed -n 's/.*"id" *: *"\([A-Z]*[0-9]*\)".*/\1/p'); do
  "$tool" explain "$rule" --format json 2>/dev/null | python3 -c '
import json, sys
page = json.load(sys.stdin)
if not page.get("bad"): sys.exit(1)
sys.stdout.write(page["bad"])' >"$work/example" 2>/dev/null || continue
  put "rule-$rule" S.schema "$(cat "$work/example")"
  report "rule-$rule" $everything
done
echo "made  $made reports"

if [ -z "$sarif" ]; then
  echo "note  no schema of SARIF was named: its reports are not checked"
elif ! python3 -c 'import jsonschema' 2>/dev/null; then
  echo "note  Python has no package 'jsonschema': reports in SARIF are not checked"
elif python3 -W ignore - "$sarif" "$work"/*.sarif <<'PYTHON'; then
import json, sys, jsonschema

schema = json.load(open(sys.argv[1]))
validator = jsonschema.validators.validator_for(schema)(schema, format_checker=jsonschema.FormatChecker())
bad = 0
for path in sys.argv[2:]:
    for error in validator.iter_errors(json.load(open(path))):
        bad += 1
        print("     ", path.rsplit("/", 1)[1], error.json_path, error.message[:200])
sys.exit(bad > 0)
PYTHON
  echo "ok    SARIF as published"
else
  echo "FAIL  SARIF as published"
  failures=$((failures + 1))
fi

if [ -z "$junit" ]; then
  echo "note  no schema of JUnit was named: its reports are not checked"
elif ! command -v xmllint >/dev/null; then
  echo "note  there is no 'xmllint': reports in JUnit are not checked"
elif xmllint --noout --schema "$junit" "$work"/*.xml 2>"$work/log"; then
  echo "ok    JUnit as published"
else
  grep -v ' validates$' "$work/log" | head -20
  echo "FAIL  JUnit as published"
  failures=$((failures + 1))
fi
exit $((failures > 0))

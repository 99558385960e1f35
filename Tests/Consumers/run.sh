#!/bin/bash
# Builds a package that uses the plugin and makes typical changes to it. The argument is a scratch folder that is kept
# between runs to save time.
set -u
here=$(cd "$(dirname "$0")" && pwd)
scratch=${1:-$(mktemp -d)}
mkdir -p "$scratch"
work=$scratch/Shop
rm -rf "$work" && cp -r "$here/Shop" "$work" && rm -rf "$work/.build"
export TRELLIS_ROOT=$(cd "$here/../.." && pwd)
failures=0
warm=$(find "$scratch" -path '*debug/trellis' -type f 2>/dev/null)

# Extract the program that checks a store from the article on custom stores.
awk '/^```swift$/ { text = ""; inside = 1; next } /^```$/ { if (inside && text ~ /\.main\(\)/) printf "%s", text; inside = 0 }
  inside { text = text $0 "\n" }' "$TRELLIS_ROOT/Sources/Runtime/Trellis/Trellis.docc/CustomStores.md" \
  >"$work/Sources/CheckStore/main.swift"
# Copy the files of the store that the article uses as its example.
cp "$TRELLIS_ROOT"/Sources/Sample/JSONStore/*.swift "$work/Sources/CheckStore/"

# Runs a command of the toolchain. Repeats it once after a crash of the toolchain, and prints a note.
toolchain() {
  local status=0 attempt
  for attempt in 1 2; do
    status=0
    "$@" >"$scratch/log" 2>&1 </dev/null || status=$?
    [ $status = 0 ] && return 0
    [ $status -ge 128 ] || grep -qE 'Stack dump:|Program crashed' "$scratch/log" || return $status
    echo "note  the toolchain crashed (exit $status) in attempt $attempt: $*"
    grep -nE -m3 'Stack dump:|Program crashed|signal|SIG' "$scratch/log" | sed 's/^/      /'
  done
  return $status
}
build() { (cd "$work" && toolchain swift build --scratch-path "$scratch/build" "$@"); }
pass() { echo "ok    $1"; }
fail() { echo "FAIL  $1"; tail -30 "$scratch/log" | sed 's/^/      /'; failures=$((failures + 1)); }
builds() { if build; then pass "$1"; else fail "$1"; fi; }
# refuses NAME PATTERN: checks that the build fails with a message that matches PATTERN.
refuses() { if ! build && grep -qE "$2" "$scratch/log"; then pass "$1"; else fail "$1"; fi; }
stamp() { find "$scratch/build/plugins" -name '*+Models.swift' -printf '%p %T@\n' | sort; }

builds "schemas inside a target and in Schemas/<Target>, public, package and internal"
[ "$failures" = 0 ] || exit 1
program=$(find "$scratch/build/" -path '*debug/Shop' -type f | head -1)
if "$program" >"$scratch/log" 2>&1 && grep -q '17 Lamp true Lumen 1 1 Ada' "$scratch/log"; then
  pass "the program runs"
else fail "the program runs"; fi

check=$(find "$scratch/build/" -path '*debug/CheckStore' -type f | head -1)
if "$check" >"$scratch/log" 2>&1 && grep -q '^the store conforms: ' "$scratch/log"; then
  pass "a store is checked by the lines of the article"
else fail "a store is checked by the lines of the article"; fi

answers=$(find "$scratch/build/" -path '*debug/Answers' -type f | head -1)
if "$answers" >"$scratch/log" 2>&1 && grep -q '^right G no increment is lost' "$scratch/log"; then
  pass "no wrong answers"
else fail "no wrong answers"; fi

searches=$work/Sources/Catalogue/Searches.swift
cp "$searches" "$scratch/searches"
sed -i 's/\$0.maker == self/$0.title.hasSuffix("x")/' "$searches"
refuses "a mistake in a predicate, at its place" "Searches.swift:6:63: error: the method 'hasSuffix' is not supported"
cp "$scratch/searches" "$searches"
sed -i 's/\$0.maker == self/$0.makre == self/' "$searches"
refuses "a misspelt property in a predicate, at its place" "Searches.swift:6:66: error: .* has no member 'makre'"
cp "$scratch/searches" "$searches"

before=$(stamp)
builds "nothing to do"
[ "$before" = "$(stamp)" ] && pass "nothing is written again" || fail "nothing is written again"

sed -i 's/    var title: String/    var title: String\n    var weight: Double = 1.5/' "$work/Sources/Catalogue/Model/Catalogue.schema"
echo 'print(article.weight)' >>"$work/Sources/Shop/main.swift"
builds "an edit of a schema"

sed -i 's/    var weight: Double/    var weight: Dubble/' "$work/Sources/Catalogue/Model/Catalogue.schema"
refuses "an error in a schema, at its line" 'Model/Catalogue.schema:9:17: error: '
sed -i 's/    var weight: Dubble/    var weight: Double/' "$work/Sources/Catalogue/Model/Catalogue.schema"
builds "the error is gone"

sed -i 's/var label: String {/var label: Int {/' "$work/Sources/Catalogue/Model/Catalogue.schema"
refuses "an error in carried text, at its line" 'Model/Catalogue.schema:20:'
sed -i 's/var label: Int {/var label: String {/' "$work/Sources/Catalogue/Model/Catalogue.schema"

printf 'schema Shop 1.0.0\n\n@Model\nclass Voucher {\n    var code: String\n}\n' >"$work/Schemas/Shop/Vouchers.schema"
if build; then
  grep -rq 'class Voucher' "$scratch/build/plugins" && pass "a new file in Schemas/<Target>" || fail "a new file in Schemas/<Target> is not ignored"
else
  grep -q 'Vouchers.schema:1:1: error: .*touch Package.swift' "$scratch/log" && pass "a new file in Schemas/<Target> is named" || fail "a new file in Schemas/<Target> is named"
  touch "$work/Package.swift"
  builds "and found after that was done"
fi

printf 'schema Reviews 1.0.0\n\n@Model\nclass Review {\n    var text: String\n}\n' >"$work/Sources/Catalogue/Reviews.schema"
echo 'print(Review(text: "fine").text)' >>"$work/Sources/Shop/main.swift"
builds "a new file inside a target"

# Debug builds are incremental: the objects of the other schema keep their dates.
objects() { find "$scratch/build/" -path '*debug/Catalogue.build/Reviews+*.swift.o' -printf '%p %T@\n' | sort; }
edited() { find "$scratch/build/" -path '*debug/Catalogue.build/Catalogue+Models.swift.o' -printf '%p %T@\n'; }
before=$(objects) models=$(edited)
sed -i 's/    var weight: Double = 1.5/    var weight: Double = 2.5\n    var width: Int = 7/' "$work/Sources/Catalogue/Model/Catalogue.schema"
builds "another edit"
if [ -n "$before" ] && [ "$before" = "$(objects)" ] && [ "$models" != "$(edited)" ]; then
  pass "only the edited schema is compiled again"
else fail "only the edited schema is compiled again"; fi

mkdir -p "$work/Sources/Catalogue/versions/Reviews-1.0.0"
cp "$work/Sources/Catalogue/Reviews.schema" "$work/Sources/Catalogue/versions/Reviews-1.0.0/"
refuses "a released version without a lock" 'versions/Reviews-1.0.0/Reviews.schema:1:16: error: the lock .* is missing'
rm -r "$work/Sources/Catalogue/versions"

# Releases a version and begins the next one.
trellis() { (cd "$work" && "$tool" "$@" >"$scratch/log" 2>&1); }
tool=$scratch/installed/bin/trellis
if "$TRELLIS_ROOT/run" install --prefix "$scratch/installed" >"$scratch/log" 2>&1 && "$tool" --version >"$scratch/log" &&
  grep -q '^.TH TRELLIS 1' "$scratch/installed/share/man/man1/trellis.1" &&
  grep -q 'complete -F _trellis trellis' "$scratch/installed/share/bash-completion/completions/trellis"; then
  pass "the tool is installed"
else fail "the tool is installed"; fi

# starts NAME: builds a package and runs it twice, if it has a program. The second run finds the row of the first.
starts() {
  (cd "$scratch/new/$1" && toolchain swift build --scratch-path "$scratch/build") || return 1
  [ "$1" != Depot ] || return 0
  for run in 1 2; do "$scratch/build/debug/$1" >"$scratch/log" 2>&1 || return 1; done
  [ "$1" = Plain ] || grep -q '^Item 2 ' "$scratch/log"
}
export XDG_DATA_HOME=$scratch/new/data
rm -rf "$scratch/new" && mkdir -p "$scratch/new/Plain"
for kind in "--executable Journal" "--library Depot" "--swift-models Wishes"; do
  # shellcheck disable=SC2086
  if (cd "$scratch/new" && "$tool" init $kind >"$scratch/log" 2>&1) && starts "${kind#* }"; then
    pass "a package made with '$kind'"
  else fail "a package made with '$kind'"; fi
done

# The second release of models in Swift files keeps the rows that the first one saved.
wishes=$scratch/new/Wishes
(cd "$wishes" && "$tool" freeze >"$scratch/log" 2>&1) &&
  sed -i 's/var isDone: Bool = false/&\n  var rank: Int/; s/self.title = title/(self.title, rank) = (title, 1)/' "$wishes/Sources/Wishes/Item.swift"
if ! (cd "$wishes" && toolchain swift build --scratch-path "$scratch/build") && grep -q 'MIG001' "$scratch/log" &&
  (cd "$wishes" && "$tool" bump >"$scratch/log" 2>&1) &&
  sed -i 's/<#value#>/old.title.count/' "$wishes/Schemas/Wishes/Version.schema" &&
  sed -i 's/for: Item.self/&, migrationPlan: WishesMigrationPlan.self/; s/print(item.title,/& "rank \\(item.rank)",/' \
    "$wishes/Sources/Wishes/Wishes.swift" &&
  starts Wishes && grep -q '^Item 1 rank 6' "$scratch/log" && grep -q '^Item 3 rank 1' "$scratch/log"; then
  pass "a second release of models in Swift files"
else fail "a second release of models in Swift files"; fi

(cd "$scratch/new/Plain" && toolchain swift package init --type executable)
if "$tool" init --into "$scratch/new/Plain" --yes >"$scratch/log" 2>&1 && starts Plain &&
  grep -rq 'class Item' "$scratch/build/plugins"; then
  pass "a package that is extended"
else fail "a package that is extended"; fi

head=$work/Sources/Catalogue/Reviews.schema
frozen=$work/Sources/Catalogue/versions/Reviews-1.0.0/Reviews.schema
if trellis freeze Sources/Catalogue/Reviews.schema && cmp -s "$head" "$frozen"; then
  pass "a version is released"
else fail "a version is released"; fi
builds "a package with a released version"
sed -i 's/    var text: String/    var text: String\n    var stars: Int/' "$head"
refuses "a released version that is edited on" 'Reviews.schema:1:16: error: version 1.0.0 .*MIG001'
sed -i 's/Reviews 1.0.0/Reviews 1.1.0/' "$head"
refuses "an attribute nobody fills" 'Reviews.schema:6:9: error: .*MIG041'
printf '\nmigration from 1.0.0 {\n    fill Review.stars = old.txt.count\n}\n' >>"$head"
refuses "a mistake in a fill, at its line" 'Reviews.schema:10:[0-9]+: error: .*txt'
sed -i 's/old.txt.count/old.text.count/' "$head"
sed -i 's/Review(text: "fine")/Review(text: "fine", stars: 5)/' "$work/Sources/Shop/main.swift"
printf '    custom countStars\n}\n' >"$scratch/step" && cp "$head" "$scratch/head"
sed -i -e '$d' "$head" && cat "$scratch/step" >>"$head"
refuses "a missing function of a custom step, at the line of the step" "Reviews.schema:11:[0-9]+: error: .* has no member 'countStars'"
cp "$scratch/head" "$head"
builds "a migration"
released() { find "$scratch/build/" -path '*debug/Catalogue.build/Catalogue+Versions.swift.o' -printf '%p %T@\n'; }
before=$(released)
sed -i 's/    var stars: Int/    var stars: Int\n    var answer: String?/' "$head"
builds "an edit beside a released version"
if [ -n "$before" ] && [ "$before" = "$(released)" ]; then
  pass "released versions are not compiled again"
else fail "released versions are not compiled again"; fi
sed -i 's/var text: String/var text: String?/' "$frozen"
refuses "an edit of a released version" 'Reviews-1.0.0/Reviews.schema:1:16: error: .*MIG002'
cp "$frozen" "$scratch/edited" && sed -i 's/var text: String?/var text: String/' "$frozen"
builds "the edit is taken back"

# Runs commands as the package's command plugins. The first call says what it builds, and `swift run` uses the same
# build.
package() { (cd "$work" && toolchain swift package --scratch-path "$scratch/build" "$@"); }
if package schema verify Sources/Catalogue/Reviews.schema && grep -q 'Reviews 1.0.0 → 1.1.0 (not released)' "$scratch/log" &&
  { [ -n "$warm" ] || grep -q "building 'trellis', which takes about a minute the first time" "$scratch/log"; }; then
  pass "the command that reads"
else fail "the command that reads"; fi
before=$(find "$scratch/build/" -path '*debug/trellis' -type f -printf '%T@')
if (cd "$work" && toolchain swift run --scratch-path "$scratch/build" trellis --version) && [ -n "$before" ] &&
  [ "$before" = "$(find "$scratch/build/" -path '*debug/trellis' -type f -printf '%T@')" ]; then
  pass "'swift run trellis' uses the build of the command"
else fail "'swift run trellis' uses the build of the command"; fi
# After a change in Trellis, SwiftPM builds more than the package needs one time, because its cached plan is that of the
# command.
build && package schema verify Sources/Catalogue/Reviews.schema
touch "$scratch/stamp"
if build && ! find "$scratch/build/" -newer "$scratch/stamp" -path '*debug/*.build/*.o' | grep -qE '/(SampleTrips|TrellisPostgres)\.build/'; then
  pass "'swift build' compiles nothing else after the command"
else fail "'swift build' compiles nothing else after the command"; fi
if ! package schema freeze &&
  grep -q 'this command writes files: swift package --allow-writing-to-package-directory schema-edit freeze$' "$scratch/log"; then
  pass "the command that reads names the command that writes"
else fail "the command that reads names the command that writes"; fi
before=$(cat "$head")
if ! package schema-edit rename Review.stars Review.points && [ "$before" = "$(cat "$head")" ]; then
  pass "the command that writes asks for permission"
else fail "the command that writes asks for permission"; fi
if package --allow-writing-to-package-directory schema-edit rename Review.stars points Sources/Catalogue/Reviews.schema &&
  grep -q 'fill Review.points = old' "$head"; then
  pass "the command that writes"
else fail "the command that writes"; fi
sed -i 's/stars: 5/points: 5/' "$work/Sources/Shop/main.swift"
cat >>"$work/Sources/Shop/main.swift" <<'SWIFT'
if CommandLine.arguments.count > 1 {
  let container = try ModelContainer(
    for: Review.self, migrationPlan: ReviewsMigrationPlan.self,
    configurations: ModelConfiguration(url: URL(fileURLWithPath: CommandLine.arguments[1])))
  let context = ModelContext(container)
  let reviews = try context.fetch(FetchDescriptor<Review>())
  print("reviews", reviews.count, reviews.allSatisfy { $0.points == $0.text.count })
}
SWIFT
builds "a renamed attribute"

# The program can open a store of the released version that `schema-store fixture` created.
if ! package schema fixture 1.0.0 && grep -q 'schema-store fixture' "$scratch/log"; then
  pass "the command that reads makes no stores and says which one does"
else fail "the command that reads makes no stores and says which one does"; fi
old=$work/fixtures/Reviews-1.0.0.store
if package --allow-writing-to-package-directory schema-store fixture Reviews@1.0.0 --output fixtures && [ -f "$old" ]; then
  pass "the command that makes stores"
else fail "the command that makes stores"; fi
if "$program" "$old" >"$scratch/log" 2>&1 && grep -q 'reviews 24 true' "$scratch/log"; then
  pass "the program opens the store of its released version"
else fail "the program opens the store of its released version"; fi

# Runs the test that opens the stores of all versions.
if build --build-tests && (cd "$work" && swift test --skip-build --scratch-path "$scratch/build" >"$scratch/log" 2>&1) &&
  grep -q 'everyInstalledStoreOpens() passed' "$scratch/log"; then
  pass "a test tries all migrations"
else fail "a test tries all migrations"; fi
if grep -q 'predicatesOfOtherTargets() passed' "$scratch/log"; then
  pass "a target without a schema has the macros"
else fail "a target without a schema has the macros"; fi

cp "$work/Sources/Catalogue/Reviews.schema" "$work/Sources/Catalogue/Model/reviews.schema"
refuses "two files of one stem" "Model/reviews.schema and Sources/Catalogue/Reviews.schema would both"
rm "$work/Sources/Catalogue/Model/reviews.schema"

echo '{ "acces": "public" }' >"$work/Sources/Stock/schema.config.json"
refuses "an unknown key of the configuration" "unknown key 'acces'"

echo "$failures failures"
[ "$failures" = 0 ]

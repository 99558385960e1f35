#!/usr/bin/env bash
# Builds the documentation. `run` sources this file.

# Builds the articles and the API reference: an archive for each documented module, merged into a single site. The module
# Trellis is last, because its articles link to those of the other modules.
docs() {
  local work=.build/docs bin products triple catalog module archives=() others=()
  bin="$(dirname "$(readlink -f "$(command -v swift)")")"
  # The path has the form .build/x86_64-unknown-linux-gnu/debug.
  products="$(swift build --show-bin-path)"
  triple="${products%/*}"
  rm -rf "$work"
  for catalog in $(find Sources -name '*.docc' | LC_ALL=C sort -r); do
    module="${catalog##*/}"
    module="${module%.docc}"
    build --target "$module"
    say "$module: reading the public symbols"
    mkdir -p "$work/symbols/$module"
    "$bin/swift-symbolgraph-extract" -module-name "$module" -I "$products/Modules" -I Sources/Runtime/CSQLite \
      -I Sources/Runtime/CPostgres -Xcc -I/usr/include/postgresql \
      -Xcc -fmodule-map-file=Sources/Runtime/CSQLite/module.modulemap -target "${triple##*/}" \
      -output-dir "$work/symbols/$module" -minimum-access-level public -skip-synthesized-members \
      -experimental-allowed-reexported-modules=TrellisSQLite,TrellisModel,TrellisStore
    say "$module: building the pages"
    cp -R "$catalog" "$work/"
    docc_links "$work/$module.docc"
    "$bin/docc" convert "$work/$module.docc" --additional-symbol-graph-dir "$work/symbols/$module" \
      --output-path "$work/$module.doccarchive" --transform-for-static-hosting --warnings-as-errors \
      --enable-experimental-external-link-support ${others[@]+"${others[@]}"}
    archives+=("$work/$module.doccarchive")
    others+=(--dependency "$work/$module.doccarchive")
  done
  "$bin/docc" merge "${archives[@]}" --synthesized-landing-page-name Trellis \
    --synthesized-landing-page-topics-style list --output-path "$work/site"
  # The theme hides the large icon that DocC draws over long titles.
  cp Sources/Runtime/Trellis/Trellis.docc/theme-settings.json "$work/site/"
  printf '<!DOCTYPE html>\n<meta charset="utf-8"><title>Trellis</title>\n%s\n%s\n' \
    '<meta http-equiv="refresh" content="0; url=documentation/trellis/">' \
    '<p><a href="documentation/trellis/">Trellis documentation</a></p>' >"$work/site/index.html"
  say "done: serve $work/site with any web server"
}

# Turns links between articles into links that DocC resolves: `[Title](Folder/Name.md#a-heading)`, which works on code
# hosts, becomes `[Title](doc:Name#A-heading)`, or `[Title](doc:/Module/Name)` for an article in another catalog.
docc_links() {
  local files
  files="$(find "$1" -name '*.md')"
  awk '
    function anchor(heading) {
      gsub(/[`"\047]/, "", heading)
      gsub(/[ \t-]+/, "-", heading)
      return heading
    }
    function host_anchor(heading) {
      gsub(/[^A-Za-z0-9 _-]/, "", heading)
      gsub(/ /, "-", heading)
      return tolower(heading)
    }
    function page(path) { sub(/.*\//, "", path); sub(/\.md$/, "", path); return path }
    FNR == 1 { pass += (FILENAME == first); if (!first) { first = FILENAME; pass = 1 }; code = 0 }
    /^ *```/ { code = !code }
    pass == 1 && !code && /^##+ / { title = $0; sub(/^#+ /, "", title); anchors[page(FILENAME), host_anchor(title)] = anchor(title) }
    pass == 2 {
      line = $0
      while (!code && match(line, /\]\([^):]*\.md(#[^)]*)?\)|\]\(#[^)]*\)/)) {
        before = substr(line, 1, RSTART - 1)
        after = substr(line, RSTART + RLENGTH)
        split(substr(line, RSTART + 2, RLENGTH - 3), target, "#")
        name = target[1] == "" ? page(FILENAME) : page(target[1])
        module = ""
        if (match(target[1], /[A-Za-z]+\.docc\//)) module = "/" substr(target[1], RSTART, RLENGTH - 6) "/"
        link = "](doc:" module name (target[2] == "" ? "" : "#" anchors[name, target[2]]) ")"
        line = before link after
      }
      print line > (FILENAME ".docc")
    }
  ' $files $files
  for file in $files; do mv "$file.docc" "$file"; done
}

#!/usr/bin/env bash
# Builds the documentation. `run` sources this file.

# Builds the articles and the API reference: an archive for each documented module, merged into a single site. The module
# Trellis is last, because its articles link to those of the other modules.
docs() {
  local work=.build/docs bin products triple catalog module archives=() others=
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
      --enable-experimental-external-link-support $others
    archives+=("$work/$module.doccarchive")
    others="$others --dependency $work/$module.doccarchive"
  done
  "$bin/docc" merge "${archives[@]}" --synthesized-landing-page-name Trellis \
    --synthesized-landing-page-topics-style list --output-path "$work/site"
  # The theme hides the large icon that DocC draws over long titles.
  cp Sources/Runtime/Trellis/Trellis.docc/theme-settings.json "$work/site/"
  cat >"$work/site/index.html" <<'HTML'
<!DOCTYPE html>
<meta charset="utf-8">
<title>Trellis</title>
<meta http-equiv="refresh" content="0; url=documentation/trellis/">
<p><a href="documentation/trellis/">Trellis documentation</a></p>
HTML
  say "done: the site is in $work/site"
}

# Turns links that work on code hosts into links that DocC resolves.
docc_links() {
  local files
  files="$(find "$1" -name '*.md')"
  awk -f Tests/docs.awk $files $files
  for file in $files; do
    cp "$file.docc" "$file"
    rm "$file.docc"
  done
}

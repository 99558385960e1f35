# Turns links that work on code hosts into links that DocC resolves: `[Title](Folder/Name.md#a-heading)` becomes
# `[Title](doc:Name#A-heading)`, or `[Title](doc:/Module/Name)` for an article in another catalog. `Resources/Name.svg`
# and `Resources/Name.png` become `Name`.
# The files are read twice: first for their headings.

function anchor(heading) {
  gsub(/[`"']/, "", heading)
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
pass == 1 && !code && /^##+ / {
  title = $0
  sub(/^#+ /, "", title)
  anchors[page(FILENAME), host_anchor(title)] = anchor(title)
}
pass == 2 {
  line = $0
  while (!code && match(line, /\]\(Resources\/[A-Za-z]+\.(svg|png)\)/)) {
    line = substr(line, 1, RSTART + 1) substr(line, RSTART + 12, RLENGTH - 17) substr(line, RSTART + RLENGTH - 1)
  }
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

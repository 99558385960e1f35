#!/usr/bin/env bash
# A real editor with the language server: headless Neovim opens a schema, applies a fix, completes, renames and saves.
# The arguments are a scratch folder and the folder of the tool.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
work="$1/editor"
rm -rf "$work"
mkdir -p "$work/Journeys" "$work/config"
export XDG_CONFIG_HOME="$work/config" XDG_DATA_HOME="$work/data" XDG_CACHE_HOME="$work/cache" XDG_STATE_HOME="$work/state"
export SCHEMA_FILE="$work/Journeys/Journeys.schema" PATH="$2:$PATH"

released='schema Journeys 1.0.0

@Model
class Journey {
    var name: String
}
'
printf '%s' "$released" >"$SCHEMA_FILE"
trellis --root "$work/Journeys" freeze >/dev/null
printf '%s' "${released/String/Sting}" | sed 's/1.0.0/1.1.0/' >"$SCHEMA_FILE"

nvim --headless -n -u "$root/Editors/neovim/trellis-schema.lua" -c "luafile $root/Tests/Consumers/editor.lua"

expected='schema Journeys 1.1.0

@Model
class Journey {
    @Attribute(.preserveValueOnDeletion) var code: Int
    @Attribute(originalName: "name") var title: String
}

migration from 1.0.0 {
    fill Journey.code = 0
}
'
if [ "$(cat "$SCHEMA_FILE")" != "${expected%$'\n'}" ]; then
  printf 'editor.sh: the saved schema differs:\n%s\n' "$(cat "$SCHEMA_FILE")" >&2
  exit 1
fi

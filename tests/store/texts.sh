#!/bin/bash
# Tests that bytes of a log arrive unchanged in any text, and are only data to the server.
#
#     tests/store.sh texts
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/../formats.sh"
# shellcheck source=tests/store/servers.sh
. "$tests/store/servers.sh"
server_find
servers_know

store=${stores[1]}/texts
tracetool -q store init "$store"

# Every byte from 0 to 255 twice, quotes and ends of statements, 1 MB, and an empty text.
bytes=$(printf '%02x' {0..255} {255..0})
hostile=$(printf "'); DROP TABLE texts.name; -- \`\\\\\r\n" | od -An -v -tx1 | tr -d ' \n')
cp "$root/testdata/palmist/ok/small.txt" small.txt
tracetool -q -d x.db import -n x small.txt
sqlite3 x.db "UPDATE trace SET name = CAST(x'$hostile' AS TEXT);
    UPDATE name SET text = CAST(x'$bytes' AS TEXT) WHERE id = (SELECT min(id) FROM name);
    UPDATE name SET text = CAST(x'$hostile' AS TEXT) WHERE id = (SELECT min(id) + 1 FROM name);
    UPDATE name SET text = CAST(zeroblob(1000000) AS TEXT) WHERE id = (SELECT min(id) + 2 FROM name);
    UPDATE name SET text = '' WHERE id = (SELECT min(id) + 3 FROM name);
    UPDATE remark SET text = CAST(x'$bytes' AS TEXT);"
expect "push of hostile texts" tracetool -q -d x.db push --to "$store" --events
expect "store check of hostile texts" tracetool -q store check "$store"

# hexes TABLE COLUMN ORDER: prints both sides, from SQLite and from the server.
hexes() {
    sqlite3 x.db "SELECT hex($2) FROM $1 ORDER BY $3" >wanted.txt
    ask 1 "SELECT hex($2) FROM texts.$1 ORDER BY $3" >got.txt
    check "the texts of $1 are the same bytes" wanted.txt got.txt
}
hexes name text id
hexes remark text number
hexes trace name name
expect "1 MB arrived" [ "$(ask 1 'SELECT max(length(text)) FROM texts.name')" = 1000000 ]

# Messages about such texts are harmless; a value of the wrong type is an error with its position.
tracetool -d "$store" remove nosuch >said.txt 2>&1
expect "a message is plain" grep -q "the store has no trace 'nosuch'" said.txt
tracetool -d x.db push --to "$store" >said.txt 2>&1
expect "a name is escaped" grep -qF '\\\x0d\n exists already' said.txt
sqlite3 x.db "UPDATE remark SET text = x'00'; UPDATE name SET code = 'text'"
tracetool -d x.db push --to "$store" >said.txt 2>&1
expect "a value of another type is refused" grep -qF 'name.code has invalid contents' said.txt
finish ""

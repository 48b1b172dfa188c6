# shellcheck shell=bash disable=SC2016,SC1003,SC2034,SC2154 # nothing in a name is to be expanded; variables of and for the other parts of hostile.sh
# Statements that `sql` must refuse.

statements=(
    "INSERT INTO remark VALUES (1, 99, 'x')" "UPDATE trace SET name = 'x'" 'DELETE FROM event'
    "REPLACE INTO remark VALUES (1, 99, 'x')" 'DROP TABLE event' 'DROP VIEW io'
    'CREATE TABLE x (a)' 'CREATE TEMP TABLE x (a)' 'CREATE VIEW x AS SELECT 1'
    'CREATE INDEX x ON event (time)'
    'CREATE TRIGGER x AFTER DELETE ON event BEGIN SELECT 1; END' 'ALTER TABLE trace RENAME TO x'
    'ALTER TABLE trace ADD COLUMN x' "CREATE VIRTUAL TABLE x USING fts5(a)"
    "CREATE VIRTUAL TABLE temp.x USING zipfile('x')" "ATTACH 'pwned' AS x" "ATTACH ':memory:' AS x"
    'DETACH main' 'VACUUM' "VACUUM INTO 'pwned'" 'REINDEX' 'ANALYZE' 'BEGIN IMMEDIATE' 'COMMIT'
    'SAVEPOINT x' 'PRAGMA user_version = 9' 'PRAGMA application_id = 9' 'PRAGMA writable_schema = 1'
    'PRAGMA journal_mode = WAL' 'PRAGMA journal_mode = DELETE' 'PRAGMA locking_mode = EXCLUSIVE'
    'PRAGMA schema_version = 9' 'PRAGMA page_size = 512' 'PRAGMA trusted_schema = 1' 'PRAGMA query_only = 0'
    'PRAGMA optimize' 'PRAGMA incremental_vacuum' 'PRAGMA wal_checkpoint' "PRAGMA temp_store_directory = '.'"
    "UPDATE sqlite_schema SET sql = ''" "UPDATE sqlite_dbpage SET data = x'00'"
    "SELECT load_extension('./x')" "SELECT load_extension('./x', 'y')" "SELECT writefile('pwned', 'x')"
    "SELECT readfile('traces.db')" "SELECT edit('x', 'touch pwned')" "SELECT * FROM fsdir('.')"
    "SELECT zipfile('pwned', 'x')" "SELECT shell('touch pwned')" "SELECT fts3_tokenizer('x', x'00')" "SELECT fts3_tokenizer('simple')"
    'SELECT 1; DROP TABLE event' "SELECT 1;; ATTACH 'pwned' AS x" 'EXPLAIN DROP TABLE event'
    'WITH x AS (SELECT 1) DELETE FROM event' '/* SELECT */ DELETE FROM event' 'DELETE FROM event RETURNING id'
    'SELECT * FROM (DELETE FROM event RETURNING id)' "SELECT 1 INTO OUTFILE 'pwned'" '.shell touch pwned'
    "SELECT * FROM pragma_journal_mode('WAL')" "SELECT * FROM pragma_user_version(9)"
)

# Each is refused, with one line, and leaves the database as it was, byte by byte.
check_sql() {
    local statement status lines

    cp traces.db before.db
    expect "sql reads" tracetool sql 'WITH x AS (SELECT count(*) AS n FROM event) SELECT n FROM x' >read.txt
    for statement in "${statements[@]}"; do
        lines=$(wc -l <"$messages")
        tracetool sql "$statement" >sql.txt
        status=$?
        # A command of sqlite3's shell is wrong usage, not SQL that is refused.
        case $statement in
        .*) expect "sql '$statement': status $status" [ $status -eq 2 ] ;;
        *) expect "sql '$statement': status $status" [ $status -eq 1 ] ;;
        esac
        expect "sql '$statement': printed" [ ! -s sql.txt ]
        expect "sql '$statement': one line" [ $(($(wc -l <"$messages") - lines)) -eq 1 ]
    done
    expect "sql leaves the database as it is" cmp -s before.db traces.db
    expect "sql makes no file" [ -z "$(find . -name 'traces.db-*' -o -name pwned)" ]
}

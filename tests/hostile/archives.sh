# shellcheck shell=bash disable=SC2034,SC2154 # variables of and for the other parts of hostile.sh
# Links, archives and bombs.

BOMB=160            # MiB that a bomb unpacks to
MEMORY_LIMIT=150000 # KiB of address space that this may take: it does not hold a bomb

# Logs lie in tree/jail; what must stay as it is lies around it. Databases are the test's own.
list_tree() {
    find tree ! -name '*.db' -printf '%p %y %s %l\n' | LC_ALL=C sort
}

most_line() {
    printf '%d.000000000\tC\tW\t8\t8\t1\t%s\tM\n' "$1" "$2"
}

# Of a folder, neither links nor subfolders nor hidden files are read.
check_links() {
    mkdir -p tree/jail/log/sub tree/outside
    most_line 0 inside >tree/jail/log/1.po
    most_line 1 secret >tree/outside/secret.po
    cp tree/outside/secret.po tree/jail/log/sub/secret.po
    cp tree/outside/secret.po tree/jail/log/.hidden.po
    ln -s "$work/tree/outside/secret.po" tree/jail/log/2.po
    ln -s ../../outside/secret.po tree/jail/log/3.po
    ln -s "$work/tree/outside" tree/jail/log/4
    ln -s . tree/jail/log/5
    mkfifo tree/jail/log/6.po
    list_tree >tree.txt
    expect "a folder with links" tracetool -d links.db import tree/jail/log
    tracetool -d links.db sql 'SELECT name FROM actor' | grep -v '^#' >read.txt
    check "links are not followed" <(echo inside) read.txt
    list_tree >tree-after.txt
    check "a folder with links stays as it is" tree.txt tree-after.txt
}

# make_archive FILE: packed in a folder like tree/jail, with files that belong beside it, by ../, by a
# link that is itself in the archive, and by a whole path.
make_archive() {
    mkdir -p stage/jail stage/outside
    most_line 2 escaped | tee stage/outside/{escaped,through}.po >tree/outside/absolute.po
    ln -s outside stage/way
    (cd stage/jail && tar -cPf "$1" ../outside/escaped.po ../way ../way/through.po \
        "$work/tree/outside/absolute.po")
    rm -r stage tree/outside/absolute.po
}

# An archive of files is no log: nothing in it is taken out, wherever its names lead.
check_archives() {
    local archive=$work/tree/jail/evil.tar packed status

    make_archive "$archive"
    gzip -k "$archive"
    xz -k "$archive"
    zstd -q "$archive"
    list_tree >tree.txt
    cd tree/jail || exit 1
    for packed in evil.tar*; do
        tracetool -d archive.db import "$packed"
        status=$?
        expect "$packed: status $status" [ $status -eq 1 ]
        # With a format told, the lines between the archive's own bytes may be read as lines.
        tracetool -d archive.db import --again -f most "$packed"
        status=$?
        expect "$packed as MOST: status $status" [ $status -le 1 ]
    done
    cd "$work" || exit 1
    list_tree >tree-after.txt
    check "archives are not unpacked" tree.txt tree-after.txt
    # The same archive does escape where it is unpacked; so the test would have seen it.
    (cd tree/jail && tar -xPf evil.tar)
    expect "the archive leads out" [ -e tree/outside/escaped.po ]
}

# import_bomb ARGUMENT…: without room for it. Sanitizers need more address space than any program.
import_bomb() {
    (
        if (ulimit -v "$MEMORY_LIMIT" && tracetool --version) >/dev/null; then
            ulimit -v "$MEMORY_LIMIT"
        fi
        tracetool -d bomb.db import "$@"
    )
}

# pack PACKING: stdin to stdout, fast.
pack() {
    case $1 in
    gz) gzip -1 ;;
    xz) xz -0 ;;
    zst) zstd -1 -q ;;
    esac
}

# Bytes of the same value without an end. Zeros would be calls in an Android trace.
make_bombs() {
    head -c "${BOMB}M" /dev/zero | tee >(pack gz >bomb.gz) >(pack xz >bomb.xz) | pack zst >bomb.zst
    wait
    head -c "${BOMB}M" /dev/zero | tr '\0' '\377' | pack zst >ones.zst
}

# check_bomb FORMAT LOG PACKING BOMB: a log and, in the same packed file, a bomb: the events of the log
# are there, the rest is damage.
check_bomb() {
    local events="SELECT events FROM trace WHERE format = '$1' ORDER BY id"

    { pack "$3" <"$2" && cat "$4"; } >"log.$3"
    expect "$1: a log and $4" import_bomb -f "$1" -n bomb --again "log.$3"
    tracetool -d bomb.db sql "$events DESC" | sed -n 2p >bomb.txt
    check "$1: events before $4" <(tracetool sql "$events" | sed -n 2p) bomb.txt
    tracetool -d bomb.db sql "SELECT rejected > 0 FROM trace WHERE name = 'bomb'" | sed -n 2p >bomb.txt
    check "$1: rejected of $4" <(echo 1) bomb.txt
    tracetool -q -d bomb.db remove bomb
}

check_bombs() {
    local format packing packings=(gz xz zst) log i=0

    make_bombs
    cp traces.db bomb.db
    for packing in "${packings[@]}"; do
        import_bomb "bomb.$packing"
        expect "bomb.$packing: no format" [ $? -eq 1 ]
        import_bomb -f most "bomb.$packing"
        expect "bomb.$packing: as MOST" [ $? -eq 1 ]
        tail -n 1 "$messages" >bomb.txt
        expect "bomb.$packing: as MOST: message" \
            grep -q ": line longer than $LINE_LIMIT bytes at byte 0$" bomb.txt
    done
    # But for the counters in its header, which count what was begun, too.
    sqlite3 bomb.db .dump >bomb.txt
    check "bombs leave the database as it is" <(sqlite3 traces.db .dump) bomb.txt
    while IFS=$'\t' read -r format _; do
        log=("logs/$format "*)
        [ ! -d "${log[0]}" ] || log=("${log[0]}"/*.rmp)
        case $format in
        android-trace) check_bomb "$format" "${log[0]}" zst ones.zst ;;
        *) check_bomb "$format" "${log[0]}" "${packings[i % 3]}" "bomb.${packings[i++ % 3]}" ;;
        esac
    done <formats.txt
    expect "tracetool check after bombs" tracetool -q -d bomb.db check
}

#!/bin/bash
# Tests output on terminals: the lists and the most common reports in pseudo-terminals of 80x24 and 120x40,
# compared with tests/terminal/SIZE.txt. tests/terminal/screens lists the commands. No line may be wider than
# the terminal.
#
#     tests/terminal.sh [--renew]
#
# The logs of ../shared are not part of the repository; without them their screens are skipped, and unchanged
# by --renew. Control characters are shown as pictures: ␛[1m begins bold letters.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

renew=false
[ "${1:-}" != --renew ] || renew=true
sizes=(80x24 120x40)
shared=${SHARED:-$root/../shared}/data

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/home" "$work/screens"
ln -s "$root/testdata" "$work/testdata"
ln -s "$shared" "$work/shared"
cd "$work" || exit 1
export HOME=$work/home PAGER=cat

# import DATABASE NAME FILE [OPTION…]
import() {
    $TRACETOOL -d "$1.db" import -q -n "$2" "$3" "${@:4}" || fail "import of $3"
}

make_databases() {
    import testdata palmist testdata/palmist/ok/small.pdb
    import testdata damaged testdata/blkparse/damaged/pid-huge.txt
    import testdata blkparse testdata/blkparse/ok/asked.txt
    import testdata profile testdata/android-trace/ok/shop-v3-dual.trace
    [ -d "$shared" ] || return 0
    import shared blkparse shared/blkparse/sqlite-on-ext4.txt
    import shared most shared/most/result.po
    import shared mobigen shared/mobigen/mobigen.out.twitter
    import shared streaming shared/android-trace/streaming.trace
}

# expected_screen SIZE HEAD: prints the expected lines below that head.
expected_screen() {
    HEAD=$2 awk '/^=== / { found = $0 == ENVIRON["HEAD"]; next } found' "$tests/terminal/$1.txt"
}

# check_width SIZE HEAD TOO-WIDE: checks the widths reported by the terminal; some screens are known to be too
# wide.
check_width() {
    local known=false

    case " $3 " in *" ${1%x*} "*) known=true ;; esac
    if [ -s told ] && ! $known; then
        fail "$1: $2: wider than the terminal" told
    elif [ ! -s told ] && $known; then
        fail "$1: $2: has room now; tests/terminal/screens says that it is too wide"
    else
        pass
    fi
}

# take_screen SIZE DATA COMMAND TOO-WIDE: prints the screen with its head.
take_screen() {
    local status head="=== $2: $3"

    printf '%s\n' "$head" >got
    if [ ! -e "$2.db" ]; then
        expected_screen "$1" "$head" >>got
    else
        # $TRACETOOL can be several words.
        TRACETOOL_DB=$2.db "$BUILD/terminal" -w "$1" sh -c "$TRACETOOL $3" >>got 2>told
        status=$?
        [ $status -eq 0 ] || echo "? $status" >>got
        check_width "$1" "$head" "$4"
        { printf '%s\n' "$head"; expected_screen "$1" "$head"; } >expected
        $renew || check "$1: $head" expected got
    fi
    cat got >>"$1.txt"
}

take_screens() {
    local line data command wide size

    while IFS= read -r line; do
        case $line in '' | '#'*) continue ;; esac
        data=${line%%[,:]*} command=${line#*: } wide=${line%%:*}
        wide=${wide#"$data"}
        for size in "${sizes[@]}"; do
            take_screen "$size" "$data" "$command" "${wide#, too wide for }"
        done
        [ -e "$data.db" ] || skip "terminal: $command: there is no $shared"
    done <"$tests/terminal/screens"
}

make_databases
take_screens
for size in "${sizes[@]}"; do
    if $renew; then
        cmp -s "$size.txt" "$tests/terminal/$size.txt" || cp "$size.txt" "$tests/terminal/$size.txt"
    else
        check "$size: nothing but what the list names" "$tests/terminal/$size.txt" "$size.txt"
    fi
done
finish "terminal: "

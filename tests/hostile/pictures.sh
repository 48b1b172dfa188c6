# shellcheck shell=bash disable=SC2034,SC2154 # variables of and for the other parts of hostile.sh
# Names in options, in pictures and on a terminal.

# --- names in options -----------------------------------------------------------------------------

# find_name OPTION FORMAT NAME: chooses the events of that name, and only these.
find_name() {
    tracetool dump -t "$(bytes "$(trace_name "$2")")" "$1=$(bytes "$3")" --format tsv |
        grep -v '^#' >found.txt
    expect "dump $1 '$3'" [ -s found.txt ]
    expect "dump $1 '$3' alone" [ "$(grep -vcF "$(inner "$3")" found.txt)" -eq 0 ]
}

find_names() {
    local name i=0

    while IFS= read -r name; do
        case $((i++ % 2)) in
        0) find_name --process most "$name" ;;
        1) find_name --op android-trace "c.d.$(inner "$name")" ;;
        esac
    done < <(for_lines '*\\x00*')
    tracetool report popularity -t "' OR 1=1 --" >/dev/null && fail "a trace that is not there"
    tracetool remove "'; DROP TABLE event; --" && fail "a trace that is not there"
}

# --- pictures -----------------------------------------------------------------------------------

# not_pwned WHAT: no name has run.
not_pwned() {
    find . -name pwned >pwned.txt
    if [ -s pwned.txt ]; then
        fail "$1: a name has run a command" pwned.txt
        rm -f pwned
    else
        pass
    fi
}

# is_svg FILE: elements as gnuplot makes them, each closed; & only in references. A flame graph has the
# script of its own, and nothing from outside in it.
is_svg() {
    sed -n '/^<script>/,/^]]><.script>$/p' "$1" | sed '1d;$d' >script.txt
    [ ! -s script.txt ] || cmp -s script.txt "$root/plots/flame-graph.js" || return
    sed '/^<script>/,/^]]><.script>$/d' "$1" | tr '\n' ' ' | awk -v RS='<' '
        BEGIN {
            known = " svg title desc g rect defs pattern circle path use filter feFlood feComposite text" \
                " tspan polygon polyline line style linearGradient stop image a "
        }
        NR == 1 { next }
        /&/ {
            rest = $0
            gsub(/&(amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);/, "", rest)
            bad += rest ~ /&/
        }
        /^[?!]/ { next }
        {
            match($0, /^\/?[A-Za-z]+/)
            name = substr($0, 1, RLENGTH)
            sub(/^\//, "", name)
            bad += !/>/ || RLENGTH < 1 || !index(known, " " name " ")
            if (/^\//) { bad += depth < 1 || stack[depth--] != name }
            else if (!/^[^>]*\/>/) stack[++depth] = name
        }
        END { exit bad > 0 || depth != 0 || NR < 10 }'
}

# is_drawn NUMBER SCRIPT: the first variant of each picture, which is told by what its script says beside
# data and names, and one in eight of the others; with HOSTILE=all all of them.
is_drawn() {
    local picture

    [ "${HOSTILE:-}" != all ] || return 0
    picture=$(grep -a '^ *\(plot\|splot\)' "$2" | sort -u | cksum)
    [ -n "${seen[$picture]:-}" ] || {
        seen[$picture]=yes
        return 0
    }
    [ $(($1 % 8)) -eq 0 ]
}

# A svg of each report that has a picture, over all traces or one by one; another kind besides.
draw_variants() {
    local number=0 line arguments drawn=0 status
    local -A seen=()

    for line in "${variants[@]}"; do
        split "$line"
        number=$((number + 1))
        if [[ $line = compare*calltree* ]]; then
            arguments=(plot "${arguments[@]}")
            draw pictures/calltree.svg "$line"
            continue
        fi
        [ -e "out/$((number - 1)).gnuplot" ] || continue
        is_drawn $number "out/$((number - 1)).gnuplot" || continue
        if [ "${arguments[0]}" = compare ]; then
            arguments=(plot "${arguments[@]}")
        else
            arguments[0]=plot
            [ $((drawn % 2)) -eq 0 ] || unset 'arguments[-1]'
        fi
        draw "pictures/$drawn.svg" "$line"
        case $((drawn++ % 8)) in
        2) draw "pictures/$drawn.png" "$line" ;;
        4) draw "pictures/$drawn.pdf" "$line" ;;
        6) draw - "$line" ;;
        esac
        if [[ $line = compare*latency* ]]; then
            arguments+=(--shift)
            draw pictures/shift.png "$line"
        fi
    done
    expect "pictures" [ $drawn -ge 40 ]
}

# draw PICTURE VARIANT: with ${arguments[@]}.
draw() {
    local status

    tracetool "${arguments[@]}" -o "$1" >drawn.txt
    status=$?
    if [ $status -ne 0 ]; then
        tail -n 3 "$messages" >message.txt
        # A result without rows is no picture, and traces of one kind may have different ones.
        ! tail -n 1 "$messages" | grep -q -e 'there is nothing to draw' -e 'one picture cannot show' ||
            return
        fail "plot $(label "$2") -o $1: status $status" message.txt
        return
    fi
    case $1 in
    *.svg)
        expect "$(label "$2") -o $1: svg" is_svg "$1"
        cp "$1" "out/$((number - 1)).svg"
        ;;
    # gnuplot itself begins with a form feed.
    -) tr -d '\f' <drawn.txt >"out/$((number - 1)).dumb" ;;
    *) expect "$1" [ -s "$1" ] ;;
    esac
}

# --- a terminal ---------------------------------------------------------------------------------

# on_terminal ARGUMENT…: what a terminal gets, without what is tracetool's own: bold headings, and red.
on_terminal() {
    # shellcheck disable=SC2086
    printf '%q ' timeout $TIME_LIMIT $TRACETOOL "$@" >command.sh
    script -qec 'bash command.sh' /dev/null </dev/null | sed 's/\r$//; s/\x1b\[\(0\|1\|31\)m//g'
}

check_terminal() {
    local number=0 line arguments

    if ! command -v script >/dev/null; then
        skip "no script(1): nothing on a terminal"
        return
    fi
    script -qec 'test -t 1 && echo terminal' /dev/null </dev/null >tty.txt
    expect "script makes a terminal" grep -q terminal tty.txt
    for line in "${variants[@]}"; do
        split "$line"
        number=$((number + 1))
        on_terminal "${arguments[@]}" >"out/$number.terminal"
        expect "terminal: $(label "$line")" [ -s "out/$number.terminal" ]
    done
    # Messages are for a terminal, too.
    on_terminal report popularity -t $'no\e[31;5;7m\n' >out/0.terminal
    on_terminal import $'no\e[31;5;7m' >>out/0.terminal
}

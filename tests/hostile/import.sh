# shellcheck shell=bash disable=SC2016,SC1003,SC2034,SC2154 # nothing in a name is to be expanded; variables of and for the other parts of hostile.sh
# The configuration, and the import of all logs into one database.

# --- the configuration --------------------------------------------------------------------------

# YAML's double quotes know the same escapes, but \x80 is a character there, not a byte.
yaml() {
    printf '"%s"' "${1//\"/\\\"}"
}

# Names that are in the database as they are in YAML; the configuration takes no NUL.
for_yaml() {
    without '*\\x[89a-f]?*' '*\\x00*'
}

# Sections with a name for each number; file types are those of the endings that the logs have.
write_config() {
    local named i numbers

    mapfile -t named < <(without '*\\x00*')
    numbers=$(seq 0 $((${#named[@]} - 1)))
    echo 'applications:'
    for i in $numbers; do
        printf '  0x%08x: %s\n' $((65536 + i)) "$(yaml "${named[i]}")"
    done
    printf 'components:\n  2:\n    name: "m63\\x1b[31;5;7m\\n"\n    functions:\n'
    for i in $numbers; do
        printf '      %d: %s\n' "$i" "$(yaml "${named[i]}")"
    done
    echo 'partitions:'
    for i in $numbers; do
        printf '  - {name: %s, first: %d, sectors: 64}\n' "$(yaml "${named[i]}")" $((i * 64))
    done
    echo 'file_types:'
    for i in 0 1 2 3 4 5 6 7 8 9; do
        printf '  %s: [x%d]\n' "$(yaml "${named[i * 3 + 1]}")" "$i"
    done
    echo 'dwtrace: {clock_hz: 1000}'
    printf 'formats:\n  declared:\n    separator: tab\n    columns: [{is: time, unit: ms}, device_name,'
    echo ' process, file, {is: address, unit: sector}, {is: size, unit: byte}, {is: response, unit: us}]'
    echo 'modules:'
    for i in $numbers; do
        printf '  %s: [%s]\n' "$(yaml "${named[i]}")" "$(yaml "a.$(inner "${named[i]}")")"
    done
}

# --- import -------------------------------------------------------------------------------------

# What a trace is called, as tsv shows it.
trace_name() {
    printf '%s m70\\x1b[31;5;7m\\n\\t`>pwned`"\x27; DROP TABLE trace; --\\\\' "$1"
}

# The name of each log is hostile, too.
import_format() {
    local format=$1 made file options=() file_name=" m71\\n\\x1b[31;5;7m\`>pwned\`\"';\\xff"

    IFS='|' read -r _ made _ < <(registered format "$format")
    case $made in
    lines\ * | words\ *) log_of_lines "$format" "${made%% *}" "${made#* }" ;;
    *) "log_$format" ;;
    esac >expected.txt
    file=$(bytes "$format$file_name")
    mv "logs/$format" "logs/$file"
    [ ! -d "logs/$file" ] || options=(--join)
    expect "import of $format" tracetool import -v -f "$format" "${options[@]}" \
        -n "$(bytes "$(trace_name "$format")")" --device "$(bytes "$device")" \
        --user "$(bytes "$user")" --study "$(bytes "$study")" "logs/$file"
    printf '%s\n' "$(trace_name "$format")" "$device" "$user" "$study" >>expected.txt
    names_survived "$format"
}

# Each name is in the database as it was in the log, byte by byte.
names_survived() {
    local own="trace = (SELECT id FROM trace WHERE format = '$1')"

    tracetool sql "SELECT name FROM actor WHERE $own UNION SELECT name FROM object WHERE $own
        UNION SELECT text FROM name WHERE $own
        UNION SELECT name FROM trace UNION SELECT device FROM trace UNION SELECT user FROM trace
        UNION SELECT study FROM trace" --format tsv | grep -v '^# ' | LC_ALL=C sort >have.txt
    LC_ALL=C sort -u expected.txt | LC_ALL=C comm -23 - have.txt | cut -c 1-200 >missing.txt
    [ "$1" = mobibench ] || expect "$1: there are names" [ "$(grep -c 'm[0-9][0-9]' expected.txt)" -ge 15 ]
    if [ -s missing.txt ]; then
        fail "$1: names that are not what they were" missing.txt
    else
        pass
    fi
}

# By tests/registry. A line too long is one rejected record (of strace its ends are read), a name too long one ignored, as is what names a process; all
# else is kept.
check_ledgers() {
    tracetool sql 'SELECT format, merged, ignored, rejected FROM trace ORDER BY 1' >ledgers.txt
    {
        printf '# format\tmerged\tignored\trejected\ndeclared\t0\t0\t1\n'
        registered format | awk -F'|' -v notices="$(cat blktrace-notices)" '
            $3 != "-" { gsub(/ /, "\t", $3); sub(/@/, notices, $3); print $1 "\t" $3 }'
    } | sort >ledgers-expected.txt
    check "ledgers" ledgers-expected.txt ledgers.txt
}

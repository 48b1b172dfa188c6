#!/bin/bash
# Reports on calls within windows of time, against brute force in Python over many random logs.
#
#     BUILD=build tests/windows.sh [SEEDS]
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

seeds=${1:-10}
windows=12

# same WHAT WANTED GOT
same() {
    if [ "$2" = "$3" ]; then
        pass
    else
        diff <(echo "$2") <(echo "$3") >differs.txt
        fail "$1" differs.txt
    fi
}

# rows REPORT COLUMNS [OPTION]…: of the window, without those of other relations.
rows() {
    local report=$1 columns=$2
    shift 2
    tracetool -d log.db report "$report" --from "$(printf '0.%09ds' "$from")" \
        --to "$(printf '0.%09ds' "$to")" --format tsv "$@" | grep -v '^#' |
        if [ "$report" = callers ]; then grep '^caller'; else cat; fi |
        awk -F '\t' -v OFS='\t' -v columns="$columns" '{
            n = split(columns, of, ",")
            line = $of[1]
            for (i = 2; i <= n; i++) line = line OFS $of[i]
            print line
        }' | LC_ALL=C sort
}

python() {
    local report=$1
    shift
    python3 -B "$tests/windows.py" "$report" log.rmp "$from" "$to" "$@" | LC_ALL=C sort
}

check_window() {
    local what="seed $1, from $from to $to" op
    same "$what: functions" "$(python functions)" "$(rows functions 1,2,3,4)"
    same "$what: callpaths" "$(python callpaths)" "$(rows callpaths 6,2,3,4)"
    for op in a b; do
        same "$what: functions --under $op" "$(python under "$op")" "$(rows functions 1,2,3,4 --under "$op")"
        same "$what: functions --op $op" "$(python functions "$op")" "$(rows functions 1,2,3,4 --op "$op")"
        same "$what: callpaths --op $op" "$(python callpaths "$op")" "$(rows callpaths 6,2,3,4 --op "$op")"
        same "$what: callers --op $op" "$(python callers "$op")" "$(rows callers 1,2,3,7 --op "$op")"
    done
}

if ! command -v python3 >/dev/null; then
    skip "random windows: there is no python3"
    seeds=0
fi
for ((seed = 1; seed <= seeds; seed++)); do
    python3 -B "$tests/windows.py" log "$seed" >log.rmp
    last=$(tail -n 1 log.rmp | cut -f 1)
    rm -f log.db
    tracetool -q -d log.db import -f rmp -n log log.rmp
    RANDOM=$seed
    for ((window = 0; window < windows; window++)); do
        from=$((RANDOM % last))
        to=$((from + 1 + RANDOM % (RANDOM % 3 ? last - from : 3)))
        check_window "$seed"
    done
done

finish "windows: "

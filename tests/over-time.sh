#!/bin/bash
# The reports on time and on kinds of workload, against brute force in Python over many random logs,
# and against worked examples.
#
#     BUILD=build tests/over-time.sh [SEEDS]
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

seeds=${1:-6}

# The reports, and what Python calls them.
reports='rate -- rate
rate --interval 0.01s -- rate interval=0.01
rate --by class --interval 0.05s -- rate-by-class interval=0.05
reuse -- reuse
reuse --sizes 7,1,3,20 --unit 512 -- reuse sizes=7,1,3,20 unit=512
reuse --by-start -- reuse by_start=1
reuse --cdf -- reuse cdf=1
workingset -- workingset
rewrites -- rewrites
footprint -- footprint
footprint --window 0.01s -- footprint-windows window=0.01
runs -- runs
runs --streams 2 -- runs streams=2
runs --cdf --streams 1 -- runs-cdf streams=1
seeks -- seeks
alignment -- alignment
concentration -- concentration
concentration --unit 1024 -- concentration unit=1024
burstiness -- burstiness
burstiness --window 0.02s -- burstiness window=0.02
heatmap -- heatmap
heatmap --interval 0.05s -- heatmap interval=0.05
heatmap --of sector -- heatmap-sector
queue -- queue
queue --cdf -- queue cdf=1
latency --cdf -- latency-cdf
queue --timeline -- queue-timeline
queue --timeline --interval 0.01s -- queue-timeline interval=0.01
latency --by depth -- latency-by-depth
latency --by idle -- latency-by-idle'

check_seed() {
    local seed=$1 line options number=0

    python3 -B "$tests/over_time.py" log "$seed" >"log$seed.csv"
    tracetool -q -d "log$seed.db" import "log$seed.csv"
    awk -F ' -- ' '{ print $2 }' <<<"$reports" | python3 -B "$tests/over_time.py" "log$seed.csv"
    while read -r line; do
        read -r -a options <<<"${line% -- *}"
        number=$((number + 1))
        check_rows "log of seed $seed (by Python)" "wanted$number.tsv" "log$seed.db" "${options[@]}"
    done <<<"$reports"
}

# sampled SEED: of 30000 I/Os over pages of skewed popularity, the curve of a sample of 512 pages at most
# is as near to that of all as the report says, and so is the number of pages.
sampled() {
    awk -v seed="$1" 'BEGIN {
        srand(seed)
        for (i = 0; i < 30000; i++) {
            page = int(exp(rand() * 9.5) + rand() * 3)
            printf "128166372%09d,h,0,%s,%d,4096,1\n", i * 1000, rand() < 0.5 ? "Read" : "Write", page * 4096
        }
    }' >skewed.csv
    rm -f skewed.db
    tracetool -q -d skewed.db import skewed.csv
    report skewed.db reuse --sizes 512,700,1000,2000,4000,8000 >exact.tsv
    tracetool -d skewed.db report reuse --sizes 512,700,1000,2000,4000,8000 --sample 512 --format tsv >sampled.tsv
    if awk -F '\t' 'FNR == NR { exact[$1] = $4; next }
        /^# miss ratios/ { match($0, /error up to [0-9.]+/); bound = substr($0, RSTART + 12, RLENGTH - 12) }
        !/^#/ { far = $4 - exact[$1]; if (far < 0) far = -far; if (far > most) most = far; rows++ }
        END { printf "# %d rows, at most %.4f off, %.4f is said\n", rows, most, bound
            exit !(rows == 6 && bound > 0 && most > 0 && most <= bound) }' exact.tsv sampled.tsv >said.txt; then
        pass
    else
        fail "sample of seed $1" said.txt
    fi
}

for ((seed = 1; seed <= 8; seed++)); do
    sampled "$seed"
done

if ! command -v python3 >/dev/null; then
    skip "random logs: there is no python3"
else
    # Twice the deviation, so one log in twenty is beyond: of 40, more than 6 are by chance once in 700 times.
    mkdir -p pages
    python3 "$tests/sampled_pages.py" "$TRACETOOL" pages 40 >pages.txt
    # shellcheck disable=SC2016
    expect "pages of a sample are as near as the bound of each row says" awk '
        { for (i = 1; i <= 4; i++) if ($i > 6) exit 1; found = NF == 4 } END { exit !found }' pages.txt
    for ((seed = 1; seed <= seeds; seed++)); do
        check_seed "$seed"
    done
fi

finish "over-time: "

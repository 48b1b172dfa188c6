#!/bin/bash
# compare finds what has changed, and nothing where nothing has: two halves of one generated trace
# whose latencies depend on one another, of which the second one is as it is, or a tenth slower.
#
#     BUILD=build tests/compare.sh [SEEDS]      default: 6; of 100 it takes some minutes
#
# The logarithm of a latency is an autoregressive process of order 1. Tests that take each latency for
# an observation of its own call such halves different in up to two cases of three.
# shellcheck disable=SC2016 # awk expands its own
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

seeds=${1:-6}
values=8000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export HOME=$work TRACETOOL_DB=$work/traces.db

# play SEED CORRELATION FACTOR: a trace in MSR Cambridge's format, a request a millisecond.
play() {
    awk -v seed="$1" -v rho="$2" -v factor="$3" -v values=$values '
        function normal() {
            return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand())
        }
        BEGIN {
            srand(seed)
            x = normal()
            for (i = 0; i < values; i++) {
                x = rho * x + sqrt(1 - rho * rho) * normal()
                latency = exp(6 + 0.5 * x) * 10 * (i < values / 2 ? 1 : factor)
                printf "%.0f,host,0,Read,%d,4096,%.0f\n", 128166372000000000 + 10000 * i, i * 4096, latency
            }
        }'
}

# halves TRACE [OPTION…]: its second half beside its first.
halves() {
    tracetool compare "$1" "$1" latency --a-to $((values / 2000))s --b-from $((values / 2000))s "${@:2}"
}

# Whether the p of Wasserstein's distance is 0.05 at most.
is_found() {
    halves "$1" | awk '/^# read: n/ { sub(/.*doublings \(p /, ""); found = $0 + 0 <= 0.05 }
        END { exit !found }'
}

# count CORRELATION FACTOR: in how many of the traces the halves differ.
count() {
    local seed found=0

    for ((seed = 1; seed <= seeds; seed++)); do
        play "$seed" "$1" "$2" >log.csv
        tracetool -q import --replace -n trace log.csv || return
        ! is_found trace || found=$((found + 1))
    done
    echo "$found"
}

tracetool() {
    # shellcheck disable=SC2086
    $TRACETOOL "$@"
}

# At most one in ten, and where they are few one more than that, for chance has its share.
most=$((seeds / 10 + (seeds < 100 ? 1 : 0)))
least=$((seeds * 9 / 10 - (seeds < 100 ? 1 : 0)))
for correlation in 0 0.6 0.9; do
    found=$(count $correlation 1)
    echo "correlation $correlation: $found of $seeds false alarms"
    expect "correlation $correlation: at most $most false alarms" [ "${found:-999}" -le $most ]
done
for correlation in 0 0.6; do
    found=$(count $correlation 1.1)
    echo "correlation $correlation: $found of $seeds found"
    expect "correlation $correlation: at least $least found" [ "${found:-0}" -ge $least ]
done

# Properties that need no other program.
play 1001 0.6 1.1 >log.csv
tracetool -q import -n one log.csv
play 1002 0.6 1 >log.csv
tracetool -q import -n two log.csv
tracetool compare one two latency >first.txt
tracetool compare one two latency >second.txt
check "the same seed gives the same bytes" first.txt second.txt
tracetool compare one two latency --seed 2 >second.txt
expect "another seed gives other intervals" [ "$(cmp first.txt second.txt)" != '' ]
tracetool compare two one latency --format csv | sed 1d >swapped.csv
tracetool compare one two latency --format csv | sed 1d >straight.csv
expect "swapped: deltas are negated, ratios inverted" awk -F , '
    NR == FNR { delta[$2] = $5; ratio[$2] = $6; next }
    delta[$2] != -$5 || (ratio[$2] * $6 - 1) ^ 2 > 1e-9 { bad = 1 }
    END { exit bad || FNR != 12 }' straight.csv swapped.csv
# The quantiles are those that sorting gives.
awk -F , '{ print $7 * 100 }' log.csv | sort -n >sorted.txt
for quantile in p1:80 p5:400 p10:800 p25:2000 p50:4000 p75:6000 p90:7200 p95:7600 p99:7920 p99.9:7992; do
    sed -n "${quantile#*:}p" sorted.txt >wanted.txt
    tracetool compare two one latency --format csv | awk -F , -v quantile="${quantile%:*}" '$2 == quantile { print $3 }' >got.txt
    check "${quantile%:*}" wanted.txt got.txt
done
halves two >out.txt
expect "a trace does not differ from itself" [ "$(tracetool compare two two latency --format csv |
    awk -F , 'NR > 1 && ($5 != 0 || $6 != 1 || $9 != "same")' | wc -l)" -eq 0 ]
expect "a trace does not differ from itself: p is 1" grep -q 'D 0 (p 1).*delta 0 .*0 doublings (p 1)' <(
    tracetool compare two two latency)
# Shuffled blocks of counts: all 252 ways to call five blocks a's and five b's, tried by python. Blocks go up and
# down by turns along the line from a to b, so that nothing speaks for dependence: p is that of the shuffles.
processes() {
    awk -v counts="$1" 'BEGIN {
        n = split(counts, list, " ")
        for (i = 1; i < n; i += 2) for (j = 0; j < list[i + 1]; j++)
            printf "%d.000000000\tC\tR\t%d\t8\t1\t%s\tM\n", ++t, t * 64, list[i] }'
}
processes "read 100 open 40 read 30 write 80 stat 30 read 100 write 40 read 80 write 20 stat 40 read 100 write 20 open 20" >a.po
processes "read 40 write 50 open 50 write 100 open 40 read 80 open 60 read 20 write 30 stat 90 read 70 write 10 stat 30 open 30" >b.po
tracetool -q import -f most a.po b.po
python3 - a.po b.po >wanted.txt <<'END'
import itertools, math, sys
blocks = []
for name in sys.argv[1:]:
    names = [line.split('\t')[6] for line in open(name)]
    size = len(names) // 5
    blocks += [[names[i * size:(i + 1) * size].count(p) / size for p in ('read', 'write', 'stat', 'open')]
               for i in range(5)]
def distance(chosen):
    p = [sum(blocks[i][k] for i in chosen) / 5 for k in range(4)]
    q = [sum(blocks[i][k] for i in range(10) if i not in chosen) / 5 for k in range(4)]
    return sum(x * math.log2(2 * x / (x + y)) / 2 for x, y in zip(p + q, q + p) if x > 0)
ways = list(itertools.combinations(range(10), 5))
print('%.4g' % (sum(distance(way) >= distance(range(5)) - 1e-12 for way in ways) / len(ways)))
END
tracetool compare a.po b.po process --blocks 5 | sed -n 's/^# p of the divergence: \([^,]*\),.*/\1/p' >got.txt
check "all ways to shuffle blocks of counts" wanted.txt got.txt
# The same events among others that the filter leaves out: blocks are of those that are counted.
for name in a b; do
    awk -F '\t' -v OFS='\t' '{ print } END { for (i = 1; i <= 900; i++) { $1 = NR + i ".000000000"; $7 = "other"; print } }' \
        $name.po >few-$name.po
done
tracetool -q import -f most few-a.po few-b.po
tracetool compare few-a.po few-b.po process --not-process other --blocks 5 |
    sed -n 's/^# p of the divergence: \([^,]*\),.*/\1/p' >got.txt
check "all ways to shuffle blocks of some events" wanted.txt got.txt
# Means of blocks, drawn anew: what python finds of all ways to draw five of five.
blocks_of() {
    awk -v sizes="$1" 'BEGIN {
        n = split(sizes, list, " ")
        for (i = 1; i <= n; i++) for (j = 0; j < 40; j++)
            printf "%d.000000000\tC\tR\t%d\t%d\t1\tp\tM\n", ++t, t * 64, list[i] }'
}
blocks_of "8 24 8 16 8" >e.po
blocks_of "16 40 8 32 16" >f.po
tracetool -q import -f most e.po f.po
python3 - >wanted.txt <<'END'
import collections, itertools
def means(sizes):
    return collections.Counter(sum(drawn) / 5 for drawn in itertools.product(sizes, repeat=5))
ratios = collections.Counter()
for a, n in means((8, 8, 8, 16, 24)).items():
    for b, m in means((8, 16, 16, 32, 40)).items():
        ratios[b / a] += n * m
def between(share):
    # The quantiles around one, between which that of some thousand draws lies.
    found, total = [], 0
    for ratio in sorted(ratios):
        total += ratios[ratio] / 5 ** 10
        if total >= share - 0.008:
            found.append(ratio)
        if total >= share + 0.008:
            return found[0], found[-1]
# What is drawn varies by n - 1 of n, and of five blocks a side t has 8 degrees of freedom: 2.3060 deviations where the
# normal distribution has 1.9600. Neighbours go up and down by turns, so that nothing speaks for dependence.
wider, middle = (5 / 4) ** 0.5 * 2.3060 / 1.9600, 22.4 / 12.8
print(middle, *(middle * (bound / middle) ** wider for bound in between(0.025) + between(0.975)))
END
tracetool compare e.po f.po summary --blocks 5 --format csv |
    awk -F , '$1 ~ /^"?mean I.O size/ { print $5, $6, $7 }' >got.txt
expect "bounds of a mean are those of all ways to draw its blocks" awk '
    NR == FNR { split($0, wanted, " "); next }
    { found = ($1 - wanted[1]) ^ 2 < 1e-9 && $2 > wanted[2] - 1e-6 && $2 < wanted[3] + 1e-6 &&
        $3 > wanted[4] - 1e-6 && $3 < wanted[5] + 1e-6 }
    END { exit !found }' wanted.txt got.txt
# Bounds of the share of reads, of pairs of runs of one process: they hold 1 in at least 90 of 100, also where bursts
# have long-range dependence. Every pair of independent I/Os has some.
for shape in 0 1.6 1.2; do
    mkdir -p "pairs-$shape"
    (cd "pairs-$shape" && python3 "$tests/bursty_pairs.py" "$TRACETOOL" . $shape 40) >pairs.txt
    read -r bounded held <pairs.txt
    echo "Pareto $shape: $held of $bounded bounds hold equality"
    expect "bounds of pairs of bursts, shape $shape" [ $((10 * held)) -ge $((9 * bounded)) ]
    expect "pairs that have bounds, shape $shape" [ "$bounded" -ge "$([ "$shape" = 0 ] && echo 40 || echo 20)" ]
done 2>&1
# Other trials with the same figures would not notice that nothing was counted.
expect "there are twelve levels" [ "$(grep -vc '^#' out.txt)" -eq 12 ]
finish "compare: "

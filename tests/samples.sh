#!/bin/bash
# The format samples against what was worked out by hand for the small log, the ledger of damaged
# ones, and awk over a larger one.
#
#     BUILD=build tests/samples.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

data=$root/testdata/samples

small_logs() {
    local name report

    for name in small bare-crlf; do
        import_as small.db "$data/ok/$name.smp"
        check_derived "$name" small.db
        for report in load usage; do
            check_rows "$name" "$data/expected/$report.tsv" small.db $report
        done
    done
    import_as small.db "$data/ok/small.smp"
    check_summary small "$data/expected/summary.tsv" small.db
    rows small.db traces | cut -f 8 >got.txt
    echo 2012-05-01T10:00:00+0800 >wanted.txt
    check "start of small.smp" wanted.txt got.txt
    report small.db load --process system_server --from 1s --to 2s >got.tsv
    sed -n 6p "$data/expected/load.tsv" >wanted.tsv
    check "load: filters" wanted.tsv got.tsv
}

# Two pieces of a log are the whole, joined in any order or appended.
pieces() {
    grep -v '^#' "$data/ok/small.smp" | grep . >whole.smp
    head -n 3 whole.smp >first.smp
    tail -n +4 whole.smp >second.smp
    import_as pieces.db --join second.smp first.smp
    check_rows joined "$data/expected/load.tsv" pieces.db load
    import_as pieces.db first.smp
    expect "--append" tracetool -q -d pieces.db import --append -n log second.smp
    check_rows appended "$data/expected/load.tsv" pieces.db load
    check_derived appended pieces.db
}

# Numbers that are the same everywhere: 40 processes, of which every seventh sample has no memory and
# every eleventh no share.
large_log() {
    awk 'BEGIN {
        for (i = 1; i <= 60000; i++) {
            share = i % 11 ? sprintf("%d.%04d", i * 7919 % 97, i * 104729 % 10000) : "-"
            memory = i % 7 ? i * 31337 % 1000003 "K" : "-"
            printf "%.0f\t%d\tprocess %d\t%s\t%s\n", i * 1000003, 100 + i % 40, i % 40, share,
                i % 77 ? memory : 5
        }
    }' >large.smp
    import_as large.db large.smp
    awk -F'\t' '
        { n[$3]++; pid[$3] = $2 }
        $4 != "-" { shares[$3]++; share[$3] += $4; if ($4 > most[$3]) most[$3] = $4 }
        $5 != "-" {
            bytes = $5 ~ /K/ ? $5 * 1024 : $5 + 0
            sizes[$3]++; size[$3] += bytes; if (bytes > peak[$3]) peak[$3] = bytes
        }
        END {
            for (p in n)
                printf "%s\t%d\t%d\t%.6f\t%.6f\t%.0f\t%.0f\n", p, pid[p], n[p],
                    share[p] / shares[p] / 100, most[p] / 100, size[p] / sizes[p], peak[p]
        }' large.smp | sort >wanted.tsv
    report large.db usage | sort >got.tsv
    check "large log: usage" wanted.tsv got.tsv
    check_derived "large log" large.db
}

# What a traced run takes more than one that is not: twice the load and half as much again of memory.
compared() {
    awk -F'\t' -v OFS='\t' '/^[0-9]/ {
        if ($4 != "-") $4 = sprintf("%.4f", 2 * $4)
        if ($5 != "-") $5 = ($5 ~ /K/ ? $5 * 1024 : $5 ~ /M/ ? $5 * 1048576 : $5) * 1.5
        print
    }' "$data/ok/small.smp" >traced.smp
    import_as compared.db "$data/ok/small.smp"
    expect "import of the traced run" tracetool -q -d compared.db import -n traced traced.smp
    report compared.db usage -t traced --against log | cut -f 1,8,9 >got.tsv
    printf '%s\t%s\t%s\n' com.android.browser 0.333333 0.500000 system_server 0.040000 0.500000 \
        >wanted.tsv
    check "usage --against" wanted.tsv got.tsv
}

small_logs
pieces
large_log
compared
finish "samples: "

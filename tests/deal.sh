#!/bin/bash
# Distributes long tests over commits: prints the items of stdin that belong to this commit, longest first.
#
#     … | tests/deal.sh KIND PARTS [NUMBER | most]
#
# The parts take equally long according to tests/seconds, which has the time of each item. Items of KIND
# `lines` are files, measured by their length. NUMBER, from 1 on, is derived from a hash of the commit, or
# from the date without git. Parts 1 to PARTS together have all items (tests/registry.sh). `most` prints the
# seconds of the longest part instead.
set -u
tests=$(cd "$(dirname "$0")" && pwd)
kind=$1 parts=$2 number=${3:-}

if [ -z "$number" ]; then
    commit=$(git -C "$tests" rev-parse HEAD 2>/dev/null || date +%F)
    number=$((16#$(printf %s "$commit" | sha256sum | cut -c 1-8) % parts + 1))
    echo "$kind: $number of $parts by the hash of $commit" >&2
fi
if [ "$kind" = lines ]; then
    xargs wc -l | awk '$2 != "total" { print $1, $2 }'
else
    awk -v kind="$kind" 'FILENAME != "-" { if ($1 == kind) seconds[$2] = $3; next }
        { print ($1 in seconds ? seconds[$1] : 2), $1 }' "$tests/seconds" -
fi | sort -k1,1nr -k2 | awk -v parts="$parts" -v number="$number" '
    {
        for (least = i = 1; i <= parts; i++) if (sum[i] < sum[least]) least = i
        sum[least] += $1
        if (least == number) print $2
        if (sum[least] > most) most = sum[least]
    }
    END { if (number == "most") print most }'

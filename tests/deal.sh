#!/bin/bash
# Deals tests that take long to commits: of the items on stdin, prints those that are this commit's, the longest first.
#
#     … | tests/deal.sh KIND PARTS [NUMBER | most]
#
# The parts take as long as one another by tests/seconds, which says what each item takes; KIND `lines` are files,
# dealt by their length. NUMBER, from 1 on, comes from a hash of the commit, without git of the date. Parts 1 to PARTS
# together are all items (tests/registry.sh). `most` prints the seconds of the longest part instead.
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

# blkparse puts the files of the CPUs together, btt measures the stages.
set -e
merged=$(mktemp)
trap 'rm -f "$merged"' EXIT
blkparse -q -D "$1" -i disk -O -d "$merged" >/dev/null
btt -i "$merged" | mawk '
    function nanoseconds(seconds,    parts) {
        split(seconds, parts, ".")
        return parts[1] * 1000000000 + parts[2]
    }
    /All Devices/ {
        all = 1
    }
    /Device Overhead/ {
        exit
    }
    all && $1 ~ /^[A-Z]2[A-Z]$/ {
        printf "%s\t%d\t%.0f\t%.0f\t%.0f\n", $1, $5, nanoseconds($2), nanoseconds($3), nanoseconds($4)
    }'

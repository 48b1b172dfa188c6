# blkparse puts the files of the CPUs together, btt measures the stages. It leaves files where it runs.
set -e
log=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
blkparse -q -D "$log" -i disk -O -d merged >/dev/null
btt -i merged | mawk '
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

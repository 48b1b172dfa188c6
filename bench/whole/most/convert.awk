# The converter that somebody writes who has a log of MOST's text form and wants to use SQL: a line a
# completed I/O, parted by TABs: time (ns), class, sector, bytes, pid, process, block type, file, latency
# (ns, -1 where no dispatch is known).
BEGIN {
    FS = OFS = "\t"
    types["D"] = "data"
    types["J"] = "journal"
    types["M"] = "metadata"
}
{
    gsub(/ /, "", $3)
    request = $4 "," ($3 ~ /W/)
}
$2 == "D" {
    issued[request] = $1
}
$2 == "C" {
    class = $3 ~ /R/ ? "read" : $3 ~ /W/ ? "write" : $3 ~ /F/ && $5 == 0 ? "flush" : "other"
    if (class ~ /^(read|write)$/ && $3 ~ /S/) {
        class = class "sync"
    }
    latency = -1
    if (request in issued) {
        latency = nanoseconds($1) - nanoseconds(issued[request])
        delete issued[request]
    }
    process = $7
    sub(/^ +/, "", process)
    printf "%.0f\t%s\t%d\t%.0f\t%d\t%s\t%s\t%s\t%.0f\n", nanoseconds($1), class, $4, $5 * 512, $6,
        process, $8 in types ? types[$8] : "none", $9 == "" ? "file-NONE" : $9, latency
}
function nanoseconds(time,    parts) {
    split(time, parts, ".")
    return parts[1] * 1000000000 + parts[2]
}

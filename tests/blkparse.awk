# Computes what a report prints for a blkparse log without damage: awk -v report=REPORT -f blkparse.awk FILE

# Index in the list of names. I/Os without data are flushes if F comes first, or if they are writes. SCSI
# commands, whose bytes are in brackets without a sector, are not.
function class_of(rwbs, sector, length_) {
    if (length_ == 0 && rwbs !~ /D/ && (rwbs ~ /^F/ || (rwbs ~ /W/ && sector != ""))) return 4
    if (rwbs ~ /R/) return rwbs ~ /S/ ? 1 : 0
    if (rwbs ~ /W/) return rwbs ~ /S/ ? 3 : 2
    return 5
}

function direction_of(rwbs) {
    return rwbs ~ /D/ ? "D" : rwbs ~ /R/ ? "R" : rwbs ~ /W/ ? "W" : "N"
}

function matched(class, duration) {
    if (!latencies[class]++ || duration < least[class]) least[class] = duration
    if (duration > most[class]) most[class] = duration
    sum[class] += duration
}

# Pairs issues with completions: flushes in order, other requests by device, sector, length and direction.
function follow(time, device, action, rwbs, sector, length_, key) {
    if (rwbs ~ /^F/ && length_ == 0) {
        if (action == "D") flush[device, ++flushes_issued[device]] = time
        else if (flushes_done[device] < flushes_issued[device])
            matched(4, time - flush[device, ++flushes_done[device]])
        return
    }
    key = device SUBSEP sector SUBSEP length_ SUBSEP direction_of(rwbs)
    if (action == "D") issued[key] = time
    else if (key in issued) {
        matched(class_of(rwbs, sector, length_), time - issued[key])
        delete issued[key]
    }
}

{ sub(/\r$/, "") }
/^[ \t]*(#|$)/ { next }
/^CPU:[0-9]+ \[LOST [0-9]+ EVENTS\]$/ { ignored++; next }
!/^ *[0-9]+,[0-9]+ / { ignored++; next }
{
    at = $4 ~ /^[0-9]+[.][0-9]+$/ ? 4 : 3
    action = $(at + 2)
    if (action == "m") { ignored++; next }
    events++
    actions[action]++
    rwbs = $(at + 3)
    rest = $0
    for (i = 1; i <= at + 3; i++) sub(/^ *[^ ]+/, "", rest)
    split($at, parts, ".")
    time = parts[1] * 1000000000 + parts[2]
    sector = rest ~ /^ [0-9]/ ? $(at + 4) : ""
    size = rest ~ /^ [0-9]+ [+] / ? $(at + 6) : 0
    # A request that was remapped from another device counts for that device.
    if (action == "A" && match(rest, /<- \([0-9]+,[0-9]+\) [0-9]+/)) {
        split(substr(rest, RSTART + 4, RLENGTH - 4), from, /\) /)
        if ((from[1], from[2]) in asked && from[1] != $1 || ($1, from[2]) in below)
            below[$1, sector] = 1
    }
    if (action == "Q") asked[$1, sector] = 1
    if (action == "C" && ($1, sector) in below) delete below[$1, sector]
    else if (action == "C") {
        class = class_of(rwbs, sector, size)
        count[class]++
        total++
        bytes[class] += 512 * size
        all_bytes += 512 * size
        empty += size == 0 && class != 4
    }
    if (action == "C" || action == "D") follow(time, $1, action, rwbs, sector, size)
}

END {
    split("read readsync write writesync flush other", name, " ")
    if (report == "ledger")
        printf "read\t%d\nevents\t%d\nignored\t%d\nrejected\t0\n", events + ignored, events, ignored
    else if (report == "popularity")
        for (action in actions) printf "%s\t%d\n", action, actions[action] | "sort"
    else if (report == "zero")
        printf empty ? "# %d %s: counted, with 0 bytes\n" : "", empty, empty == 1 ? "I/O without data that is not a flush" : "I/Os without data that are not flushes"
    else
        for (i = 0; i < 6; i++)
            if (report == "rw")
                printf "%s\t%d\t%.6f\t%d\t%.6f\n", name[i + 1], count[i],
                    total ? count[i] / total : 0, bytes[i], all_bytes ? bytes[i] / all_bytes : 0
            else if (latencies[i])
                printf "%s\t%d\t%d\t%d\t%d\n", name[i + 1], latencies[i], least[i],
                    sum[i] / latencies[i] + 0.5, most[i]
}

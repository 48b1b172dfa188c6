# Computes report rows of a MOST text log independently of the program: plain awk over the lines, according to
# shared/formats/most.md.
#
#     awk -v report=rw -f tests/most.awk FILE.po
#
# prints the data rows of that report. Skips lines that are not events.

# --- file types: the rule list of most.md, in its order; the last rule that fits wins ------------

function rule(type, extension, more) {
    rules++
    rule_type[rules] = type
    rule_extension[rules] = extension
    rule_more[rules] = more # bytes that follow the extension
}

function file_type(name, i, head, found) {
    found = "other"
    for (i = 1; i <= rules; i++) {
        head = length(name) - length(rule_extension[i]) - rule_more[i]
        if (head >= 1 && index("._-", substr(name, head, 1)) > 0 &&
            substr(name, head + 1, length(rule_extension[i])) == rule_extension[i])
            found = rule_type[i]
    }
    return found
}

BEGIN {
    FS = "\t"
    rule("sqlite-db", "db", 0)
    rule("sqlite-journal", "db-j", 6)
    rule("sqlite-journal", "journal", 0)
    rule("sqlite-wal", "db-w", 2)
    rule("sqlite-wal", "wal", 0)
    rule("sqlite-temp", "db-s", 2)
    rule("sqlite-temp", "shm", 0)
    rule("sqlite-temp", "db-mj", 9)
    rule("sqlite-temp", "db-mj", 10)
    split("jpg 3gp mp3 mp4 MOV avi thumb", list, " ")
    for (i = 1; i <= 7; i++) rule("multimedia", list[i], 0)
    split("so dex apk odex", list, " ")
    for (i = 1; i <= 4; i++) rule("executable", list[i], 0)
    split("dat xml cache", list, " ")
    for (i = 1; i <= 3; i++) rule("resource", list[i], 0)
    rule("resource", "locals", 6)
    rule("resource", "thumbdata3", 0)
    split("bak tmp temp", list, " ")
    for (i = 1; i <= 3; i++) rule("temp", list[i], 0)
    split("uio ufls um umd", list, " ")
    for (i = 1; i <= 4; i++) rule("tracer", list[i], 0)
    split("read readsync write writesync flush other", class_name, " ")
    block_name["D"] = "data"
    block_name["J"] = "journal"
    block_name["M"] = "metadata"
}

# --- one line ------------------------------------------------------------------------------------

function trim(text) {
    gsub(/^ +| +$/, "", text)
    return text
}

function is_event() {
    return (NF == 8 || NF == 9) &&
        trim($1) ~ /^[0-9]+\.[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]$/ &&
        trim($2) ~ /^[A-Z][A-Z]?$/ && trim($3) ~ /^[RWDFSAMBN]+$/ && trim($4) ~ /^[0-9]+$/ &&
        trim($5) ~ /^[0-9]+$/ && trim($6) ~ /^[0-9]+$/ && trim($8) ~ /^[MJD]$/
}

# 1 to 6, as in class_name. I/Os without data are flushes if F comes first, or if they are writes.
function class_of(rwbs, blocks) {
    if (blocks == 0 && rwbs !~ /D/ && rwbs ~ /^F|W/) return 5
    if (rwbs ~ /R/) return rwbs ~ /S/ ? 2 : 1
    if (rwbs ~ /W/) return rwbs ~ /S/ ? 4 : 3
    return 6
}

# Whole nanoseconds; a double represents three months exactly.
function nanoseconds(time, part) {
    split(time, part, ".")
    return part[1] * 1000000000 + part[2]
}

function add(name) {
    if (!(name in total)) names[++name_count] = name
    total[name]++
    count[name, class]++
    bytes[name] += size
}

{
    sub(/\r$/, "")
    log_bytes += length($0) + 1
}

!is_event() { next }

{
    time = nanoseconds(trim($1))
    action = trim($2)
    class = class_of(trim($3), $5 + 0)
    size = $5 * 512
    events++
    if (events == 1) first_time = time
    last_time = time
    processes[trim($7)] = 1
    actions[action]++
}

action == "C" {
    file = NF == 9 ? trim($9) : ""
    if (file == "file-NONE") file = ""
    rows++
    ios += class != 5
    with_data += size > 0
    io_bytes += size
    empty += size == 0 && class != 5
    class_count[class]++
    class_bytes[class] += size
    hours[int(time / 3600000000000), class]++
    if (report == "filetype") add(file_type(file))
    if (report == "blocktype") add(block_name[trim($8)])
    if (report == "timeline" && size > 0)
        printf "%s\t%.0f\t%s\n", trim($1), $4, class_name[class]
    if (report == "gaps" && rows > 1 && time > before) {
        gap = sprintf("%.0f\t%.0f\t%.0f", before, time, time - before)
        gaps[++gap_count] = gap
        gap_length[gap_count] = time - before
    }
    before = time
}

# --- the reports ---------------------------------------------------------------------------------

# Percentages are fractions with six decimals.
function share(part, whole) {
    return sprintf("%.6f", whole == 0 ? 0 : part / whole)
}

function classes(name, i, line) {
    line = ""
    for (i = 1; i <= 6; i++) line = line "\t" (count[name, i] + 0)
    return line
}

# Sorts what[1..number] by key[], descending; ties by text, or stable. There are few rows, so the algorithm is
# simple.
function sort_down(what, key, number, stable, i, j, text, value) {
    for (i = 2; i <= number; i++) {
        text = what[i]
        value = key[i]
        for (j = i - 1; j >= 1 && (key[j] < value || (!stable && key[j] == value && what[j] > text)); j--) {
            what[j + 1] = what[j]
            key[j + 1] = key[j]
        }
        what[j + 1] = text
        key[j + 1] = value
    }
}

function by_name(i, keys) {
    for (i = 1; i <= name_count; i++) keys[i] = total[names[i]]
    sort_down(names, keys, name_count)
    for (i = 1; i <= name_count; i++)
        printf "%s%s\t%d\t%s\t%.0f\t%s\n", names[i], classes(names[i]), total[names[i]],
            share(total[names[i]], rows), bytes[names[i]], share(bytes[names[i]], io_bytes)
}

function popularity(i, name, number, list, keys, sum) {
    for (name in actions) {
        list[++number] = name
        keys[number] = actions[name]
    }
    sort_down(list, keys, number)
    for (i = 1; i <= number; i++) {
        sum += keys[i]
        printf "%d\t%s\t%d\t%s\t%s\n", i, list[i], keys[i], share(keys[i], events),
            share(sum, events)
    }
}

function hourly(hour, i, line, sum, all) {
    for (i in hours) all += hours[i]
    for (hour = 0; hour <= int(last_time / 3600000000000); hour++) {
        line = hour
        sum = 0
        for (i = 1; i <= 6; i++) {
            line = line "\t" (hours[hour, i] + 0)
            sum += hours[hour, i]
        }
        print line "\t" sum "\t" share(sum, all)
    }
}

function summary(name, number) {
    for (name in actions) number++
    printf "run time\t%.0f\nevents\t%d\noperations seen\t%d\nI/Os\t%d\n", last_time - first_time,
        events, number, ios
    printf "reads\t%d\nwrites\t%d\n", class_count[1] + class_count[2],
        class_count[3] + class_count[4]
    printf "flushes\t%d\n", class_count[5]
    printf "bytes read\t%.0f\nbytes written\t%.0f\nmean I/O size\t%.6f\n",
        class_bytes[1] + class_bytes[2], class_bytes[3] + class_bytes[4], io_bytes / with_data
    number = 0
    for (name in processes) number++
    printf "processes\t%d\n", number
}

END {
    if (report == "rw")
        for (i = 1; i <= 6; i++)
            printf "%s\t%d\t%s\t%.0f\t%s\n", class_name[i], class_count[i],
                share(class_count[i], rows), class_bytes[i], share(class_bytes[i], io_bytes)
    # Remarks above the rows of rw.
    if (report == "rw-remarks") {
        printf "# writes per read: %.2f\n",
            (class_count[3] + class_count[4]) / (class_count[1] + class_count[2])
        if (empty > 0) printf "# %d %s: counted, with 0 bytes\n", empty, empty == 1 ? "I/O without data that is not a flush" : "I/Os without data that are not flushes"
    }
    if (report == "filetype" || report == "blocktype") by_name()
    if (report == "popularity") popularity()
    if (report == "hourly") hourly()
    if (report == "summary") summary()
    if (report == "gaps") {
        sort_down(gaps, gap_length, gap_count, 1)
        for (i = 1; i <= gap_count; i++) print gaps[i]
    }
}

#include "expect.h"

#include "util.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* As reports order them. */
static const Class class_order[CLASSES] = {READ, READSYNC, WRITE, WRITESYNC};
static const char *const class_names[CLASSES] = {"read", "write", "readsync", "writesync"};

static Group *find_group(Groups *groups, const char *name) {
    size_t i = 0;
    while (i < groups->count && strcmp(groups->groups[i].name, name) != 0) {
        i++;
    }
    if (i == groups->count) {
        require(groups->count < MAX_GROUPS, "too many rows");
        groups->groups[groups->count++].name = name;
    }
    return &groups->groups[i];
}

static void count_in(Groups *groups, const char *name, const Io *io) {
    Group *group = find_group(groups, name);
    group->counts[io->class]++;
    group->total++;
    group->bytes += (uint64_t)io->blocks * SECTOR;
}

static Partition partition_of(uint32_t sector) {
    for (size_t i = 0; i < AREAS; i++) {
        if (sector >= areas[i].first && sector - areas[i].first < areas[i].sectors) {
            return areas[i].partition;
        }
    }
    return PART_UNMAPPED;
}

static void count_locality(Locality *locality, const Io *io) {
    int direction = io->class == WRITE || io->class == WRITESYNC;
    if (locality->ends[direction] == io->sector) {
        locality->sequential[direction]++;
    } else {
        locality->random[direction]++;
    }
    locality->ends[direction] = (uint64_t)io->sector + io->blocks;
}

void count_io(Counts *counts, const Io *io) {
    int64_t latency = io->completed - io->issued;
    int64_t hour = FIRST_HOUR + io->completed / (3600 * US_PER_SECOND);
    Partition partition = partition_of(io->sector);
    require(latency >= MIN_LATENCY && latency <= MAX_LATENCY, "a latency is out of bounds");
    require(io->issued >= 0 && hour < FIRST_HOUR + HOURS, "an I/O is not of that day");
    require(io->blocks > 0 && io->blocks <= MAX_BLOCKS, "an I/O is too large");
    require(counts->total == 0 || io->completed > counts->last_completion, "time stands still");
    if (counts->total == 0) {
        counts->first_completion = io->completed;
        counts->first_issue = io->issued;
    }
    counts->last_completion = io->completed;
    if (io->issued < counts->first_issue) {
        counts->first_issue = io->issued;
    }
    counts->total++;
    counts->bytes += (uint64_t)io->blocks * SECTOR;
    counts->counts[io->class]++;
    counts->class_bytes[io->class] += (uint64_t)io->blocks * SECTOR;
    counts->hours[hour % HOURS][io->class]++;
    counts->plus_at_six += hour % HOURS == 6 && strcmp(io->process, "apps.plus") == 0;
    counts->sizes[io->blocks]++;
    counts->latencies[io->class][latency]++;
    count_in(&counts->partitions, partition_names[partition], io);
    count_in(&counts->types, type_names[io->type], io);
    count_in(&counts->types_within[partition], type_names[io->type], io);
    count_in(&counts->blocks, block_names[io->block], io);
    count_in(&counts->processes, io->process, io);
    count_in(&counts->processes_within[partition], io->process, io);
    count_locality(&counts->all, io);
    if (io->block != METADATA && io->block != JOURNAL) {
        count_locality(&counts->data_only, io);
    }
}

/* ---- promises ---- */

/* No count of I/Os comes nearer to the published share. */
static void check_share(const char *what, uint64_t count, uint64_t total, uint64_t percent) {
    uint64_t hundredths = total * percent;
    uint64_t miss = count * 100 > hundredths ? count * 100 - hundredths : hundredths - count * 100;
    require(miss <= 50, "%s: %" PRIu64 " of %" PRIu64 " are not %" PRIu64 " %%", what, count, total,
            percent);
}

/* The share, rounded like the published one, is the same; of a few I/Os, it may miss that. */
static void check_rounded(const char *what, uint64_t count, uint64_t total, uint64_t percent) {
    uint64_t hundredths = total * percent;
    uint64_t miss = count * 100 > hundredths ? count * 100 - hundredths : hundredths - count * 100;
    require(total < 1000 || miss * 2 <= total,
            "%s: %" PRIu64 " of %" PRIu64 " are not about %" PRIu64 " %%", what, count, total,
            percent);
}

static uint64_t hour_total(const Counts *counts, unsigned hour) {
    uint64_t total = 0;
    for (int i = 0; i < CLASSES; i++) {
        total += counts->hours[hour][i];
    }
    return total;
}

/* Zeros when there is none of that name. */
static Group group_of(const Groups *groups, const char *name) {
    for (size_t i = 0; i < groups->count; i++) {
        if (strcmp(groups->groups[i].name, name) == 0) {
            return groups->groups[i];
        }
    }
    return (Group){0};
}

static uint64_t total_of(const Groups *groups, const char *name) {
    return group_of(groups, name).total;
}

static uint64_t reads_in(const uint64_t counts[CLASSES]) {
    return counts[READ] + counts[READSYNC];
}

static uint64_t writes_in(const uint64_t counts[CLASSES]) {
    return counts[WRITE] + counts[WRITESYNC];
}

/* The paper's miscellaneous: what is of no other of its seven types. */
static Group misc_of(const Groups *types) {
    static const char *const names[] = {"other", "temp", "anonymous", "tracer"};
    Group misc = {0};
    for (size_t i = 0; i < COUNT(names); i++) {
        Group group = group_of(types, names[i]);
        misc.total += group.total;
        for (int j = 0; j < CLASSES; j++) {
            misc.counts[j] += group.counts[j];
        }
    }
    return misc;
}

static void check_largest(const Groups *groups, const char *name) {
    for (size_t i = 0; i < groups->count; i++) {
        require(groups->groups[i].total <= total_of(groups, name), "%s exceeds %s",
                groups->groups[i].name, name);
    }
}

/* The hour with most I/Os but for one; HOURS: but for none. */
static unsigned busiest_but(const uint64_t totals[HOURS], unsigned other) {
    unsigned busiest = other == 0 ? 1 : 0;
    for (unsigned hour = 0; hour < HOURS; hour++) {
        if (hour != other && totals[hour] > totals[busiest]) {
            busiest = hour;
        }
    }
    return busiest;
}

static void check_hours(const Counts *counts, unsigned user) {
    static const unsigned awake[USERS] = {12, 9}, first[USERS] = {21, 11}, second[USERS] = {22, 17};
    uint64_t totals[HOURS], idle = 0;
    for (unsigned hour = 0; hour < HOURS; hour++) {
        totals[hour] = hour_total(counts, hour);
        idle += hour >= 2 && hour < awake[user] ? totals[hour] : 0;
    }
    require(idle <= counts->total / 100 + 2, "%" PRIu64 " I/Os are in idle hours", idle);
    require(busiest_but(totals, HOURS) == first[user], "hour %u is not the busiest", first[user]);
    require(busiest_but(totals, first[user]) == second[user], "hour %u is not the next",
            second[user]);
}

/* Of the writes that are not synchronous, as in Figure 6. */
static void check_plain_writes(const Counts *counts, unsigned user) {
    uint64_t all = counts->counts[WRITE];
    uint64_t misc = misc_of(&counts->types).counts[WRITE];
    check_rounded("write of miscellaneous", misc, all, user == 0 ? 62 : 69);
    if (user == 0) {
        check_rounded("write of resources", group_of(&counts->types, "resource").counts[WRITE], all,
                      35);
    } else {
        check_rounded("write of sqlite-db", group_of(&counts->types, "sqlite-db").counts[WRITE],
                      all, 20);
    }
}

static uint64_t sqlite_within(const Groups *types) {
    return total_of(types, "sqlite-db") + total_of(types, "sqlite-journal") +
           total_of(types, "sqlite-wal") + total_of(types, "sqlite-temp");
}

static void check_types(const Counts *counts, unsigned user) {
    uint64_t reads = reads_in(counts->counts), writes = writes_in(counts->counts);
    Group db = group_of(&counts->types, "sqlite-db");
    Group journal = group_of(&counts->types, "sqlite-journal");
    Group misc = misc_of(&counts->types);
    Group wal = group_of(&counts->types, "sqlite-wal");
    Group temporary = group_of(&counts->types, "sqlite-temp");
    unsigned partition = user == 0 ? PART_CACHE : PART_DATA;
    check_share("reads of executables", reads_in(group_of(&counts->types, "executable").counts),
                reads, user == 0 ? 40 : 78);
    if (user == 0) {
        check_share("reads of multimedia", reads_in(group_of(&counts->types, "multimedia").counts),
                    reads, 20);
    } else {
        check_share("reads of miscellaneous", reads_in(misc.counts), reads, 10);
    }
    check_share("writes of sqlite-db", writes_in(db.counts), writes, 22);
    check_share("writes of sqlite-journal", writes_in(journal.counts), writes, 28);
    check_share("writes of miscellaneous", writes_in(misc.counts), writes, 34);
    check_plain_writes(counts, user);
    require(reads_in(wal.counts) + reads_in(temporary.counts) == 0, "SQLite's own files are read");
    check_share("SQLite within a partition", sqlite_within(&counts->types_within[partition]),
                total_of(&counts->partitions, partition_names[partition]), user == 0 ? 74 : 65);
    require(counts->total < 1000 || counts->types.count == TYPES - 1, "a file type is unused");
}

/* Synchronous writes are a larger part of two partitions than of any other but the modem's. */
static void check_writesync(const Counts *counts, unsigned user) {
    static const unsigned most[USERS] = {1U << PART_SYSTEM | 1U << PART_CACHE,
                                         1U << PART_DATA | 1U << PART_ETC};
    double parts[PARTITIONS];
    for (unsigned i = 0; i < PARTITIONS; i++) {
        Group group = group_of(&counts->partitions, partition_names[i]);
        parts[i] = (double)group.counts[WRITESYNC] / (double)writes_in(group.counts);
    }
    for (unsigned i = 0; i < PART_UNMAPPED; i++) {
        for (unsigned j = 0; j < PART_UNMAPPED; j++) {
            require(!(most[user] & 1U << i) || most[user] & 1U << j || counts->total < 10000 ||
                        parts[i] > parts[j],
                    "%s has more writesync than %s", partition_names[j], partition_names[i]);
        }
    }
}

static uint64_t process_in(const Counts *counts, Partition partition, const char *process) {
    return total_of(&counts->processes_within[partition], process);
}

/* Table III: applications by their I/Os. Kernel threads are none; Facebook is two processes. */
static void check_applications(const Counts *counts, const uint64_t ranks[3],
                               const char *const names[4]) {
    require(counts->total < 10000 || (ranks[0] > ranks[1] && ranks[1] > ranks[2]),
            "the three applications are in another order");
    for (size_t i = 0; i < counts->processes.count; i++) {
        const Group *group = &counts->processes.groups[i];
        int known =
            strncmp(group->name, "jbd2/", 5) == 0 || strncmp(group->name, "kworker/", 8) == 0;
        for (int j = 0; j < 4; j++) {
            known |= strcmp(group->name, names[j]) == 0;
        }
        require(known || counts->total < 10000 || group->total < ranks[2], "%s has too many I/Os",
                group->name);
    }
}

static void check_first_user(const Counts *counts) {
    static const char facebook[] = "facebook.katana", update[] = "katana:update";
    static const char *const names[] = {facebook, update, "ringtone", "push.alarm"};
    uint64_t application =
        total_of(&counts->processes, facebook) + total_of(&counts->processes, update);
    check_rounded("Facebook", application, counts->total, 34);
    check_share("Facebook on /data",
                process_in(counts, PART_DATA, facebook) + process_in(counts, PART_DATA, update),
                counts->total, 12);
    check_share("Facebook on /system", process_in(counts, PART_SYSTEM, update), counts->total, 12);
    check_share("Facebook on /cache", process_in(counts, PART_CACHE, facebook),
                total_of(&counts->partitions, "/cache"), 36);
    check_share("ringtone", total_of(&counts->processes, "ringtone"), counts->total, 30);
    check_share("reads by Mini T world",
                reads_in(group_of(&counts->processes, "Mini T world").counts),
                reads_in(counts->counts), 33);
    check_share("writes by Facebook", writes_in(group_of(&counts->processes, facebook).counts),
                writes_in(counts->counts), 21);
    check_applications(counts,
                       (const uint64_t[]){application, total_of(&counts->processes, "ringtone"),
                                          total_of(&counts->processes, "push.alarm")},
                       names);
}

static void check_second_user(const Counts *counts) {
    static const char *const names[] = {"subway.route", "naver.music", "iptv", "iptv"};
    check_share("subway on /system", process_in(counts, PART_SYSTEM, names[0]), counts->total, 15);
    check_share("mail on /data", process_in(counts, PART_DATA, "android.email"), counts->total, 10);
    check_share("browser on /cache", process_in(counts, PART_CACHE, "chrome"), counts->total, 5);
    check_share("gallery on /etc", process_in(counts, PART_ETC, "gallery3d"), counts->total, 13);
    check_share("music on /etc", process_in(counts, PART_ETC, names[1]),
                total_of(&counts->partitions, "/etc"), 29);
    check_share("writes by subway", writes_in(group_of(&counts->processes, names[0]).counts),
                writes_in(counts->counts), 16);
    check_share("reads by the browser", reads_in(group_of(&counts->processes, "chrome").counts),
                reads_in(counts->counts), 14);
    require(counts->total < 10000 || counts->plus_at_six * 3 > hour_total(counts, 6),
            "Google Plus does little at 06:00");
    check_applications(counts,
                       (const uint64_t[]){total_of(&counts->processes, names[0]),
                                          total_of(&counts->processes, names[1]),
                                          total_of(&counts->processes, names[2])},
                       names);
}

/* No number of writes comes nearer to so many a read. */
static void check_writes_per_read(uint64_t writes, uint64_t reads, uint64_t per_read) {
    uint64_t wanted = reads * per_read;
    uint64_t miss = writes > wanted ? writes - wanted : wanted - writes;
    require(reads > 0 && miss * 2 <= per_read + 1 && miss * 2 < reads,
            "%" PRIu64 " writes to %" PRIu64 " reads", writes, reads);
}

void check_promises(const Counts *counts, unsigned user) {
    static const uint64_t per_read[USERS] = {16, 10}, written[USERS] = {94, 91};
    static const uint64_t percent[USERS] = {57, 41};
    const char *partition = user == 0 ? "/data" : "/cache";
    uint64_t reads = reads_in(counts->counts), writes = writes_in(counts->counts);
    check_hours(counts, user);
    check_writes_per_read(writes, reads, per_read[user]);
    check_rounded("writes", writes, counts->total, written[user]);
    check_share("writesync", counts->counts[WRITESYNC], counts->total, 69);
    check_share(partition, total_of(&counts->partitions, partition), counts->total, percent[user]);
    check_largest(&counts->partitions, partition);
    require(counts->partitions.count == PARTITIONS, "a partition is unused");
    check_types(counts, user);
    check_writesync(counts, user);
    if (user == 0) {
        check_first_user(counts);
    } else {
        check_second_user(counts);
    }
}

static uint64_t of_both(const Counts counts[USERS], const char *type) {
    return total_of(&counts[0].types, type) + total_of(&counts[1].types, type);
}

static void check_types_of_both(const Counts counts[USERS], uint64_t total, uint64_t reads) {
    uint64_t executables = 0, misc = 0;
    for (int i = 0; i < USERS; i++) {
        executables += reads_in(group_of(&counts[i].types, "executable").counts);
        misc += misc_of(&counts[i].types).total;
    }
    check_rounded("reads of executables of both", executables, reads, 64);
    check_rounded("sqlite-db of both", of_both(counts, "sqlite-db"), total, 21);
    check_rounded("sqlite-journal of both", of_both(counts, "sqlite-journal"), total, 26);
    check_rounded("miscellaneous of both", misc, total, 33);
}

void check_promises_of_both(const Counts counts[USERS]) {
    uint64_t total = counts[0].total + counts[1].total;
    uint64_t reads = reads_in(counts[0].counts) + reads_in(counts[1].counts);
    uint64_t totals[HOURS];
    for (unsigned hour = 0; hour < HOURS; hour++) {
        totals[hour] = hour_total(&counts[0], hour) + hour_total(&counts[1], hour);
    }
    require(busiest_but(totals, HOURS) == 21 && busiest_but(totals, 21) == 11,
            "21 and 11 are not the busiest hours of both");
    check_rounded("11:00-12:00 and 21:00-22:00", totals[11] + totals[21], total, 28);
    /* 12.21, which is 12 when rounded. */
    require((total - reads) * 2 >= reads * 23 && (total - reads) * 2 < reads * 25,
            "writes per read of both");
    check_rounded("writes of both", total - reads, total, 92);
    check_rounded("/data of both",
                  total_of(&counts[0].partitions, "/data") +
                      total_of(&counts[1].partitions, "/data"),
                  total, 37);
    check_types_of_both(counts, total, reads);
}

/* ---- reports ---- */

static FILE *open_report(const char *directory, const char *name) {
    char path[PATH_SIZE];
    set_path(path, "%s/%s.tsv", directory, name);
    return open_output(path);
}

static double share(uint64_t part, uint64_t whole) {
    return whole ? (double)part / (double)whole : 0.0;
}

static int compare_groups(const void *left, const void *right) {
    const Group *a = left;
    const Group *b = right;
    if (a->total != b->total) {
        return a->total < b->total ? 1 : -1;
    }
    return strcmp(a->name, b->name);
}

static void print_classes(FILE *file, const uint64_t counts[CLASSES]) {
    uint64_t total = 0;
    for (int i = 0; i < CLASSES; i++) {
        fprintf(file, "\t%" PRIu64, counts[class_order[i]]);
        total += counts[class_order[i]];
    }
    fprintf(file, "\t0\t0\t%" PRIu64, total); /* flush, other: there are none */
}

static void write_groups(const char *directory, const char *name, Groups *groups,
                         const Counts *counts) {
    FILE *file = open_report(directory, name);
    qsort(groups->groups, groups->count, sizeof *groups->groups, compare_groups);
    for (size_t i = 0; i < groups->count; i++) {
        const Group *group = &groups->groups[i];
        fputs(group->name, file);
        print_classes(file, group->counts);
        fprintf(file, "\t%.6f\t%" PRIu64 "\t%.6f\n", share(group->total, counts->total),
                group->bytes, share(group->bytes, counts->bytes));
    }
    close_file(file);
}

/* Form D knows no block types. */
static void write_no_block_types(const char *directory, const Counts *counts) {
    static Groups groups;
    groups = (Groups){.count = 1};
    groups.groups[0].name = "none";
    memcpy(groups.groups[0].counts, counts->counts, sizeof counts->counts);
    groups.groups[0].total = counts->total;
    groups.groups[0].bytes = counts->bytes;
    write_groups(directory, "blocktype-most-binary", &groups, counts);
}

static int compare_names(const void *left, const void *right) {
    return strcmp(partition_names[*(const int *)left], partition_names[*(const int *)right]);
}

/* The partitions in order of their names. */
static void order_partitions(int order[PARTITIONS]) {
    for (int i = 0; i < PARTITIONS; i++) {
        order[i] = i;
    }
    qsort(order, PARTITIONS, sizeof *order, compare_names);
}

static void write_types_within(const char *directory, Counts *counts) {
    FILE *file = open_report(directory, "filetype-partition");
    int order[PARTITIONS];
    order_partitions(order);
    for (int i = 0; i < PARTITIONS; i++) {
        const char *partition = partition_names[order[i]];
        Groups *types = &counts->types_within[order[i]];
        uint64_t total = total_of(&counts->partitions, partition);
        qsort(types->groups, types->count, sizeof *types->groups, compare_groups);
        for (size_t j = 0; j < types->count; j++) {
            fprintf(file, "%s\t%s\t%" PRIu64 "\t%.6f\n", partition, types->groups[j].name,
                    types->groups[j].total, share(types->groups[j].total, total));
        }
    }
    close_file(file);
}

static void write_processes_within(const char *directory, Counts *counts) {
    FILE *file = open_report(directory, "process-partition");
    int order[PARTITIONS];
    order_partitions(order);
    for (int i = 0; i < PARTITIONS; i++) {
        Groups *processes = &counts->processes_within[order[i]];
        uint64_t total = 0, bytes = 0;
        qsort(processes->groups, processes->count, sizeof *processes->groups, compare_groups);
        for (size_t j = 0; j < processes->count; j++) {
            total += processes->groups[j].total;
            bytes += processes->groups[j].bytes;
        }
        for (size_t j = 0; j < processes->count; j++) {
            const Group *process = &processes->groups[j];
            fprintf(file, "%s\t%s", partition_names[order[i]], process->name);
            print_classes(file, process->counts);
            fprintf(file, "\t%.6f\t%" PRIu64 "\t%.6f\n", share(process->total, total),
                    process->bytes, share(process->bytes, bytes));
        }
    }
    close_file(file);
}

static void write_rw(const char *directory, const Counts *counts) {
    FILE *file = open_report(directory, "rw");
    for (int i = 0; i < CLASSES; i++) {
        Class class = class_order[i];
        fprintf(file, "%s\t%" PRIu64 "\t%.6f\t%" PRIu64 "\t%.6f\n", class_names[class],
                counts->counts[class], share(counts->counts[class], counts->total),
                counts->class_bytes[class], share(counts->class_bytes[class], counts->bytes));
    }
    fputs("flush\t0\t0.000000\t0\t0.000000\nother\t0\t0.000000\t0\t0.000000\n", file);
    close_file(file);
}

static void write_hours(const char *directory, const Counts *counts) {
    FILE *file = open_report(directory, "hourly");
    for (int hour = 0; hour < HOURS; hour++) {
        fprintf(file, "%d", hour);
        uint64_t total = 0;
        for (int i = 0; i < CLASSES; i++) {
            total += counts->hours[hour][i];
        }
        print_classes(file, counts->hours[hour]);
        fprintf(file, "\t%.6f\n", share(total, counts->total));
    }
    close_file(file);
}

static void write_sizes(const char *directory, const Counts *counts) {
    FILE *file = open_report(directory, "iosize");
    uint64_t count = 0, bytes = 0;
    for (uint64_t blocks = 0; blocks <= MAX_BLOCKS; blocks++) {
        uint64_t here = counts->sizes[blocks] * blocks * SECTOR;
        if (counts->sizes[blocks]) {
            count += counts->sizes[blocks];
            bytes += here;
            fprintf(file, "%" PRIu64 "\t%" PRIu64 "\t%.6f\t%.6f\t%.6f\t%.6f\n", blocks * SECTOR,
                    counts->sizes[blocks], share(counts->sizes[blocks], counts->total),
                    share(count, counts->total), share(here, counts->bytes),
                    share(bytes, counts->bytes));
        }
    }
    close_file(file);
}

static void write_locality(const char *directory, const char *name, const Locality *locality) {
    static const char *const directions[] = {"read", "write"};
    FILE *file = open_report(directory, name);
    for (int i = 0; i < 2; i++) {
        fprintf(file, "%s\t%" PRIu64 "\t%" PRIu64 "\t%.6f\n", directions[i],
                locality->sequential[i], locality->random[i],
                share(locality->sequential[i], locality->sequential[i] + locality->random[i]));
    }
    close_file(file);
}

/* Nearest rank: the smallest value that this many of 100 do not exceed; 0 for the least. */
static uint64_t percentile(const uint64_t *latencies, uint64_t count, uint64_t percent) {
    uint64_t rank = percent ? (count * percent + 99) / 100 : 1;
    uint64_t value = 0;
    for (uint64_t below = latencies[0]; below < rank; below += latencies[value]) {
        value++;
    }
    return value * 1000;
}

static void write_latencies(const char *directory, const Counts *counts) {
    FILE *file = open_report(directory, "latency");
    for (int i = 0; i < CLASSES; i++) {
        Class class = class_order[i];
        const uint64_t *latencies = counts->latencies[class];
        uint64_t count = counts->counts[class];
        uint64_t sum = 0;
        for (uint64_t value = 0; value <= MAX_LATENCY; value++) {
            sum += latencies[value] * value * 1000;
        }
        if (count) {
            fprintf(file, "%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, class_names[class], count,
                    percentile(latencies, count, 0), (sum + count / 2) / count);
            fprintf(file, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
                    percentile(latencies, count, 50), percentile(latencies, count, 90),
                    percentile(latencies, count, 99), percentile(latencies, count, 100));
        }
    }
    close_file(file);
}

/* Form D has the completed I/Os only; form E has an issue for each. */
static void write_summary(const char *directory, const char *name, const Counts *counts, int issues,
                          uint64_t log_bytes) {
    FILE *file = open_report(directory, name);
    int64_t first = issues ? counts->first_issue : counts->first_completion;
    const uint64_t *bytes = counts->class_bytes;
    uint64_t reads = reads_in(counts->counts), writes = writes_in(counts->counts);
    uint64_t totals[HOURS];
    unsigned busiest;
    for (unsigned hour = 0; hour < HOURS; hour++) {
        totals[hour] = hour_total(counts, hour);
    }
    busiest = busiest_but(totals, HOURS);
    fprintf(file, "run time\t%" PRId64 "\n", (counts->last_completion - first) * 1000);
    fprintf(file, "events\t%" PRIu64 "\n", counts->total * (issues ? 2 : 1));
    fprintf(file, "I/Os\t%" PRIu64 "\n", counts->total);
    fprintf(file, "reads\t%" PRIu64 "\n", reads);
    fprintf(file, "writes\t%" PRIu64 "\n", writes);
    fprintf(file, "flushes\t0\n");
    fprintf(file, "writes per read\t%.6f\n", share(writes, reads));
    fprintf(file, "synchronous share of writes\t%.6f\n", share(counts->counts[WRITESYNC], writes));
    fprintf(file, "bytes read\t%" PRIu64 "\n", bytes[READ] + bytes[READSYNC]);
    fprintf(file, "bytes written\t%" PRIu64 "\n", bytes[WRITE] + bytes[WRITESYNC]);
    fprintf(file, "mean I/O size\t%.6f\n", share(counts->bytes, counts->total));
    fprintf(file, "share of 4 KB I/Os\t%.6f\n", share(counts->sizes[8], counts->total));
    fprintf(file, "share of SQLite databases\t%.6f\n",
            share(total_of(&counts->types, "sqlite-db"), counts->total));
    fprintf(file, "share of SQLite journals\t%.6f\n",
            share(total_of(&counts->types, "sqlite-journal"), counts->total));
    fprintf(file, "busiest hour\t%u\n", busiest);
    fprintf(file, "share of the two busiest hours\t%.6f\n",
            share(totals[busiest] + totals[busiest_but(totals, busiest)], counts->total));
    fprintf(file, "processes\t%zu\n", counts->processes.count);
    fprintf(file, "log size\t%" PRIu64 "\n", log_bytes);
    close_file(file);
}

void write_expectations(const char *directory, Counts *counts, uint64_t binary_bytes,
                        uint64_t uio_bytes) {
    write_rw(directory, counts);
    write_hours(directory, counts);
    write_types_within(directory, counts);
    write_processes_within(directory, counts);
    write_groups(directory, "partition", &counts->partitions, counts);
    write_groups(directory, "filetype", &counts->types, counts);
    write_groups(directory, "blocktype", &counts->blocks, counts);
    write_no_block_types(directory, counts);
    write_groups(directory, "process", &counts->processes, counts);
    write_sizes(directory, counts);
    write_locality(directory, "locality", &counts->all);
    write_locality(directory, "locality-data-only", &counts->data_only);
    write_latencies(directory, counts);
    write_summary(directory, "summary-most-binary", counts, 0, binary_bytes);
    write_summary(directory, "summary-uio", counts, 1, uio_bytes);
}

/* Recognises logs of other programs that are not supported, and says what to do with each. */
#include <string.h>

#include "import/importer.h"
#include "input/unpack.h"
#include "input/word.h"

/* Returns whether a file is perf.data, in either byte order, or in the format before 2009. */
static bool is_perf_data(const struct sniff *sniff) {
    return sniff->length >= 8 &&
           (memcmp(sniff->bytes, "PERFILE2", 8) == 0 || memcmp(sniff->bytes, "2ELIFREP", 8) == 0 ||
            memcmp(sniff->bytes, "PERFFILE", 8) == 0);
}

static bool is_sqlite(const struct sniff *sniff) {
    return sniff->length >= 100 && memcmp(sniff->bytes, "SQLite format 3", 16) == 0;
}

/* Returns whether a file is a database of tracetool, by its SQLite application_id
 * (store/connection.h). Databases in tracetool's cache of imports have another application_id. */
static bool is_own_database(const struct sniff *sniff) {
    return is_sqlite(sniff) && memcmp(sniff->bytes + 68, "TrLg", 4) == 0;
}

/* Returns the first 4096 bytes of a file. */
static struct word early_bytes(const struct sniff *sniff) {
    return (struct word){(const char *)sniff->bytes, sniff->length < 4096 ? sniff->length : 4096};
}

static bool has_early(const struct sniff *sniff, const char *text) {
    return word_has(early_bytes(sniff), text);
}

static uint8_t first_visible(const struct sniff *sniff) {
    size_t i = 0;

    while (i < sniff->length && (sniff->bytes[i] == ' ' || sniff->bytes[i] == '\n' ||
                                 sniff->bytes[i] == '\r' || sniff->bytes[i] == '\t')) {
        i++;
    }
    return i < sniff->length ? sniff->bytes[i] : 0;
}

static bool is_html(const struct sniff *sniff) {
    return first_visible(sniff) == '<' &&
           (has_early(sniff, "<html") || has_early(sniff, "<!DOCTYPE html"));
}

static bool is_trace_event_json(const struct sniff *sniff) {
    return (first_visible(sniff) == '{' && has_early(sniff, "\"traceEvents\"")) ||
           (first_visible(sniff) == '[' && has_early(sniff, "\"ph\""));
}

static bool is_ftrace(const struct sniff *sniff) {
    return sniff->length > 10 && memcmp(sniff->bytes, "# tracer: ", 10) == 0;
}

/* Returns whether a file is fio's log of bandwidth, IOPS or the like. fio's latency logs, which are
 * read, look the same but for the name: NAME_bw.log, or NAME_bw.JOB.log. */
static bool is_fio_log(const struct sniff *sniff) {
    static const char *const kinds[] = {"_bw", "_iops", "_slat", "_clat_hist"};
    struct word name = word_of(sniff->name);

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const char *found = memmem(name.bytes, name.length, kinds[i], strlen(kinds[i]));

        if (found != NULL && found[strlen(kinds[i])] == '.' && word_ends(name, ".log") &&
            word_is_digit((char)first_visible(sniff))) {
            return true;
        }
    }
    return false;
}

/* Returns whether a file has fio's results, as JSON or as readable text. */
static bool is_fio_results(const struct sniff *sniff) {
    return (first_visible(sniff) == '{' && has_early(sniff, "\"fio version\"")) ||
           has_early(sniff, ": (groupid=") || has_early(sniff, " clat percentiles (");
}

/* Returns whether a file has statistics over intervals, not events: iostat -x and others of
 * sysstat, vmstat, perf stat and perf sched latency. */
static bool is_summary(const struct sniff *sniff) {
    return (has_early(sniff, "Device") && has_early(sniff, " %util")) ||
           (has_early(sniff, "Linux ") && has_early(sniff, " CPU)\n")) ||
           has_early(sniff, "procs -----------memory") ||
           has_early(sniff, " Performance counter stats for ") ||
           has_early(sniff, "| Max delay ms ");
}

/* Returns whether the first `wanted` lines that are not empty all pass the test `is`. */
static bool first_lines_match(const struct sniff *sniff, size_t wanted,
                              bool (*is)(struct word line)) {
    struct word rest = early_bytes(sniff);
    size_t count = 0;

    while (count < wanted && rest.length > 0) {
        struct word line = word_field(&rest, '\n');

        if (word_trim(line).length > 0 && *line.bytes != '#') {
            if (!is(line)) {
                return false;
            }
            count++;
        }
    }
    return count == wanted;
}

/* Matches a line of Cygwin's strace: microseconds since the previous line and since the start,
 * thread, program, process: call. */
static bool is_cygwin_line(struct word line) {
    struct word number = word_next(&line), since = word_next(&line), thread = word_next(&line);

    return number.length > 0 && word_digits(number) == number.length && since.length > 0 &&
           word_digits(since) == since.length && word_begins(thread, "[") && word_ends(thread, "]");
}

/* Returns whether a word is a number, whole or decimal. `*fraction`: it has a decimal point. */
static bool other_logs_is_number(struct word word, bool *fraction) {
    size_t digits = word_digits(word);

    *fraction = digits < word.length && word.bytes[digits] == '.';
    if (digits > 0 && *fraction) {
        word_skip(&word, digits + 1);
        digits = word_digits(word);
    }
    return word.length > 0 && digits == word.length;
}

/* Matches a line of perf trace: milliseconds, duration, thread, call: 0.028 ( 0.014 ms): cat/6532
 * openat(…) = 4 */
static bool is_perf_trace_line(struct word line) {
    bool fraction;

    return other_logs_is_number(word_next(&line), &fraction) && fraction &&
           word_begins(word_trim_left(line), "(") && word_has(line, "): ");
}

/* Returns whether a file is output of perf trace, or a table of perf trace -s. */
static bool is_perf_trace(const struct sniff *sniff) {
    return first_lines_match(sniff, 1, is_perf_trace_line) ||
           has_early(sniff, " Summary of events:\n");
}

/* Matches a line of five words, of which the first four are numbers. The first one is the time: a
 * decimal number in DiskSim's logs (`wanted`), a whole number in MQSim's. */
static bool is_simulator_line(struct word line, bool wanted) {
    bool fraction, other;

    if (!other_logs_is_number(word_next(&line), &fraction) || fraction != wanted) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        if (!other_logs_is_number(word_next(&line), &other) || other) {
            return false;
        }
    }
    return word_next(&line).length > 0 && word_trim(line).length == 0;
}

static bool is_mqsim_line(struct word line) {
    return is_simulator_line(line, false);
}

static bool is_disksim_line(struct word line) {
    return is_simulator_line(line, true);
}

/* Returns whether a line is a single word, which may be a key in a log of cache requests. */
static bool is_key_line(struct word line) {
    struct word word = word_next(&line);
    size_t i = 0;

    while (i < word.length && (word_is_digit(word.bytes[i]) ||
                               ((word.bytes[i] | 0x20) >= 'a' && (word.bytes[i] | 0x20) <= 'z') ||
                               memchr("_-:/.@%+", word.bytes[i], 8) != NULL)) {
        i++;
    }
    return i == word.length && word_trim(line).length == 0;
}

static bool is_keys(const struct sniff *sniff) {
    struct word rest = early_bytes(sniff);
    size_t count = 0;

    while (rest.length > 0) {
        struct word line = word_field(&rest, '\n');

        if (!is_key_line(line)) {
            return false;
        }
        count += word_trim(line).length > 0;
    }
    return count >= 3;
}

/* Returns whether a file is base64(1) output: all lines but the last have the full width. */
static bool is_base64(const struct sniff *sniff) {
    struct word rest = early_bytes(sniff), line = word_field(&rest, '\n'), first = line;
    size_t count = 0;

    for (; rest.length > 0; line = word_field(&rest, '\n'), count++) {
        if (line.length != first.length || !is_key_line(line)) {
            return false;
        }
    }
    return count > 1 && first.length == 76;
}

/* Returns whether a file begins with the header of zlib (RFC 1950), two bytes with a checksum. A
 * text may begin like that, but has no control characters. */
static bool is_zlib(const struct sniff *sniff) {
    size_t binary = 0;

    for (size_t i = 2; i < sniff->length && i < 256; i++) {
        binary += sniff->bytes[i] < '\t' || sniff->bytes[i] >= 0x80;
    }
    return sniff->length > 8 && (sniff->bytes[0] & 0x0F) == 8 && sniff->bytes[0] >> 4 == 7 &&
           (sniff->bytes[0] * 256 + sniff->bytes[1]) % 31 == 0 && (sniff->bytes[1] & 0x20) == 0 &&
           4 * binary > (sniff->length < 256 ? sniff->length : 256);
}

static const char ctf[] =
    "a CTF trace, as of LTTng, or babeltrace's text of it, which is not read: "
    "record with trace-cmd or perf";

/* Returns what the first bytes of the file say: how to unpack it, or what it is; NULL: unknown. */
static const char *unpacked_by(const struct sniff *sniff) {
    static const struct {
        char magic[9];
        const char *what;
    } packers[] = {
        {"\x04\"M\x18", "packed by lz4, which is not read: lz4 -dc FILE >log, and import that"},
        {"\x02!L\x18", "packed by lz4, which is not read: lz4 -dc FILE >log, and import that"},
        {"LZIP", "packed by lzip, which is not read: lzip -dc FILE >log, and import that"},
        {"\x89LZO", "packed by lzop, which is not read: lzop -dc FILE >log, and import that"},
        {"\x1F\x9D", "packed by compress, which is not read: gzip -dc FILE >log, and import that"},
        {"7z\xBC\xAF", "a 7z archive, which is not read: 7z x FILE, and import what is in it"},
        {"\xC1\x1F\xFC\xC1", ctf}, /* streams of LTTng in both byte orders, then its metadata */
        {"\xC1\xFC\x1F\xC1", ctf},
        {"\x57\x1D\xD1\x75", ctf},
        {"\x75\xD1\x1D\x57", ctf},
        {"Rar!", "a RAR archive, which is not read: unrar x FILE, and import what is in it"},
    };

    for (size_t i = 0; i < sizeof packers / sizeof packers[0]; i++) {
        size_t length = strlen(packers[i].magic);

        if (sniff->length > length && memcmp(sniff->bytes, packers[i].magic, length) == 0) {
            return packers[i].what;
        }
    }
    return NULL;
}

/* Returns whether a file is UTF-32: words of 32 bits that are ASCII characters, after a byte order
 * mark if there is one. */
static bool is_utf32(const struct sniff *sniff) {
    size_t little = 0, big = 0, count = 0;

    for (size_t i = 0; i + 4 <= sniff->length && i < 256; i += 4, count++) {
        const uint8_t *at = sniff->bytes + i;
        bool is_mark =
            i == 0 && (memcmp(at, "\xFF\xFE\0\0", 4) == 0 || memcmp(at, "\0\0\xFE\xFF", 4) == 0);

        little += is_mark || (at[0] >= '\t' && at[0] < 127 && !at[1] && !at[2] && !at[3]);
        big += is_mark || (at[3] >= '\t' && at[3] < 127 && !at[0] && !at[1] && !at[2]);
    }
    return count >= 8 && (little == count || big == count);
}

/* Returns whether a file is output of uftrace or its dump, or is from its data directory. */
static bool is_uftrace(const struct sniff *sniff) {
    return has_early(sniff, "DURATION     TID ") || has_early(sniff, "DURATION    TID ") ||
           has_early(sniff, "uftrace file header") ||
           (sniff->length >= 8 && memcmp(sniff->bytes, "Ftrace!", 8) == 0);
}

/* Returns whether a file is LTTng's metadata, or output of babeltrace. */
static bool is_ctf(const struct sniff *sniff) {
    return has_early(sniff, "/* CTF 1.") ||
           (first_visible(sniff) == '[' && has_early(sniff, "] (+") && has_early(sniff, ": { "));
}

/* Returns whether a file is an SRT trace: a text header with a date, then binary records. */
static bool is_srt(const struct sniff *sniff) {
    return has_early(sniff, "tracedate") && memchr(sniff->bytes, '\0', sniff->length) != NULL;
}

static bool is_kdump_line(struct word line) {
    struct word process = word_next(&line), kind;

    word_next(&line);
    kind = word_next(&line);
    return word_digits(process) == process.length &&
           (word_is(kind, "CALL") || word_is(kind, "RET") || word_is(kind, "NAMI"));
}

/* Returns whether lines end in CR alone, as from old Macs or serial lines. */
static bool is_without_newlines(const struct sniff *sniff) {
    struct word rest = {(const char *)sniff->bytes, sniff->length};
    size_t lines = 0;

    if (memchr(sniff->bytes, '\n', sniff->length) != NULL ||
        memchr(sniff->bytes, '\0', sniff->length) != NULL) {
        return false;
    }
    while (rest.length > 0) {
        word_field(&rest, '\r');
        lines++;
    }
    return lines > 3;
}

static bool is_any(struct word line) {
    return line.length > 0;
}

/* Returns whether a file is ftrace's text in another form: ftrace's importer read no line of it. */
static bool is_ftrace_in_other_form(const struct sniff *sniff) {
    return is_ftrace(sniff) && first_lines_match(sniff, 1, is_any);
}

/* Returns whether a file is a function graph whose lines have neither time, CPU nor duration. */
static bool is_bare_graph(const struct sniff *sniff) {
    return is_ftrace_in_other_form(sniff) && has_early(sniff, "# tracer: function_graph");
}

/* Returns whether a line has a word like `block:block_rq_issue:`, as perf script prints events. */
static bool has_event_of_perf(struct word line) {
    struct word word;

    while ((word = word_next(&line)).length > 0) {
        struct word event = word, system = word_field(&event, ':');

        if (system.length > 2 && event.length > 3 && *system.bytes >= 'a' && *event.bytes >= 'a' &&
            memchr(event.bytes, ':', event.length) == event.bytes + event.length - 1) {
            return true;
        }
    }
    return false;
}

/* Returns whether the fourth field of a line, the block size in fio's logs, is 0. */
static bool is_average(struct word line) {
    for (int i = 0; i < 3; i++) {
        word_field(&line, ',');
    }
    return word_is(word_trim(word_field(&line, ',')), "0");
}

/* Returns whether a file is a latency log of fio with averages: 0 in place of the size. */
static bool is_fio_averages(const struct sniff *sniff) {
    struct word name = word_of(sniff->name);

    return word_has(name, "lat.") && word_ends(name, ".log") &&
           first_lines_match(sniff, 1, is_average);
}

/* Returns whether a file is output of iosnoop with only one of -s, -t; its heading says which. */
static bool is_iosnoop(const struct sniff *sniff) {
    return has_early(sniff, " TYPE DEV ") &&
           (has_early(sniff, "ENDs  ") || has_early(sniff, "STARTs  ")) &&
           !(has_early(sniff, "ENDs  ") && has_early(sniff, "STARTs  "));
}

/* Returns whether at least half of the first lines are addresses alone, behind blanks or of the
 * kernel: stacks of perf script without names. */
static bool is_addresses(const struct sniff *sniff) {
    struct word rest = early_bytes(sniff);
    int addresses = 0, others_found = 0;
    bool hexadecimal = false;
    uint64_t number;

    while (rest.length > 0) {
        const struct word line = word_field(&rest, '\n'), word = word_trim(line);
        const bool is = word.length >= 4 && word_hex(word, UINT64_MAX, &number) &&
                        (word.bytes > line.bytes || (number >> 48) == 0xffff);

        addresses += is;
        hexadecimal |= is && word_digits(word) < word.length;
        others_found += !is && word.length > 0;
    }
    return hexadecimal && addresses > 1 && addresses >= others_found;
}

/* A log of another program: a file that passes all tests of a row. */
static const struct {
    const char *all[2], *any[3]; /* texts that the first bytes have: all of them; one of them */
    bool (*first)(struct word line), (*three)(struct word line); /* tests of its first lines */
    bool (*is)(const struct sniff *sniff);
    const char *what;
} others[] = {
    {.is = is_own_database, .what = "a database of tracetool, not a log: name it with -d"},
    {.is = is_sqlite, .what = "an SQLite database, not a log"},
    {.is = is_html,
     .what = "a page of HTML, in which there is no trace of systrace's; open it in a browser"},
    {.is = is_trace_event_json, .what = "Chrome's Trace Event JSON, in which there are no events"},
    {.is = is_fio_log,
     .what = "fio's log of bandwidth, IOPS, submission latency or a histogram, which is not "
             "read: import its _lat or _clat logs"},
    {.is = is_fio_averages,
     .what = "fio's averages of latencies, which are no requests: record without log_avg_msec"},
    {.is = is_fio_results,
     .what = "fio's results, which are no trace: import its _lat or _clat logs, or what "
             "--write_iolog writes"},
    {.is = is_summary,
     .what = "sums over a time, which are no trace: record with blktrace, or with strace or perf "
             "record"},
    {.any = {"  sch delay   run time", " secs A0 => "},
     .what = "what perf sched prints, which is not read: perf script -i perf.data >log, and "
             "import that"},
    {.all = {" msg=audit("},
     .what = "auditd's log, which has no times of calls' ends: record with strace"},
    {.all = {"# Overhead  ", "# Samples: "},
     .what = "what perf report prints, which is not read: perf script -i perf.data >log, and "
             "import that"},
    {.is = is_perf_data,
     .what = "perf's perf.data, which is not read: perf script -i perf.data >log, and import that"},
    {.is = is_perf_trace,
     .what = "what perf trace prints, which is not read: perf trace record PROGRAM, then perf "
             "script -i perf.data >log, and import that"},
    {.is = is_bare_graph,
     .what = "a function graph without CPUs, which is not read: record again with trace_options "
             "funcgraph-cpu and funcgraph-duration"},
    {.is = is_ftrace_in_other_form,
     .what = "a log of ftrace in a form that is not read: record again with trace_options "
             "context-info, noraw, nohex, nobin and noverbose"},
    {.is = is_ftrace, .what = "a log of ftrace, in which there are no events"},
    {.three = has_event_of_perf,
     .what = "what perf script prints without the name or the number of threads, or the time: "
             "print these, too (-F comm,tid,cpu,time,event,trace)"},
    {.three = is_cygwin_line,
     .what = "the output of Cygwin's strace, which is not read: record on Linux"},
    {.three = is_mqsim_line,
     .what = "five whole numbers a line, as MQSim has them: --input-format mqsim reads them"},
    {.three = is_disksim_line,
     .what = "five numbers a line, the first with a fraction, as DiskSim has them: "
             "--input-format disksim reads them"},
    {.any = {"SYSCALL(args) ", ")\t\t = 0 0\n"},
     .what = "dtruss's output, which is not read: declare its lines, see tracetool-formats(7)"},
    {.all = {" strace.go:"},
     .what = "gVisor's log of system calls, which is not read: record with strace outside of it"},
    /* results are in decimal and hexadecimal */
    {.any = {" = 0 (0x0)", "Err#", "ERR#"},
     .what = "truss's output, which is not read: declare its lines, see tracetool-formats(7)"},
    {.all = {" LAT(ms)"},
     .any = {"TIME(ms) ", "TIMESTAMP "},
     .what = "what biosnoop of bpftrace, or of libbpf-tools with -t, prints, which is not read: "
             "record with biosnoop of bcc, or without -t"},
    {.is = is_uftrace,
     .what = "what uftrace prints, which is not read: uftrace dump --chrome >log.json, and "
             "import that"},
    {.is = is_ctf, .what = ctf},
    {.is = is_srt,
     .what = "an SRT trace of HP's disks, which is not read: srt2ds of DataSeries and ds2txt "
             "--csv convert it, then declare its columns, see tracetool-formats(7)"},
    {.first = is_kdump_line,
     .what = "what kdump prints of ktrace, which is not read: record on Linux with strace"},
    /* "=" is written "=3D", and "=" at the end of a line joins the next line to it */
    {.all = {"=3D"},
     .any = {"=\n", "=20\n", "=C2=A0"},
     .what = "a mail in quoted-printable, which is not read: python3 -m quopri -d FILE >log, and "
             "import that"},
    {.is = is_base64,
     .what = "text of base64, which is not read: base64 -d FILE >log, and import that"},
    {.is = is_addresses,
     .what = "addresses without names, as perf script prints them without sym: print names, too "
             "(-F +sym,+dso)"},
    {.is = is_keys,
     .what = "one word a line, as lists of keys of caches have it: --input-format keys reads them"},
    {.is = is_iosnoop,
     .what = "iosnoop's output with -s or -t alone, which is not read: record with -ts, or "
             "import it without the column of the time"},
    /* like opensnoop's, but one column is wider */
    {.all = {"PID     COMM ", " FD ERR PATH"},
     .what = "statsnoop's output, which is not read: record with strace"},
    /* its rows could be mistaken for opensnoop's */
    {.all = {" READS  WRITES R_Kb "},
     .what = "filetop's sums, which are not read: record with fileslower 0, or strace"},
};

const char *importer_describe_packed(const struct sniff *sniff) {
    return unpack_format_of(sniff->bytes, sniff->length) != NULL
               ? "packed within another packed file, which is not read: unpack the outer one, and "
                 "import what is in it"
           : is_zlib(sniff)
               ? "packed by zlib, which is not read: unpack it, for example with pigz -dz, and "
                 "import that"
           : is_without_newlines(sniff)
               ? "its lines end in CR alone, which is not read: end them with LF, and "
                 "import that"
           : is_utf32(sniff) ? "UTF-32, which is not read: iconv -f UTF-32 -t UTF-8 FILE >log, and "
                               "import that"
                             : unpacked_by(sniff);
}

static bool is_other(const struct sniff *sniff, size_t row) {
    const char *const *all = others[row].all, *const *any = others[row].any;

    return (all[0] == NULL || has_early(sniff, all[0])) &&
           (all[1] == NULL || has_early(sniff, all[1])) &&
           (any[0] == NULL || has_early(sniff, any[0]) || has_early(sniff, any[1]) ||
            (any[2] != NULL && has_early(sniff, any[2]))) &&
           (others[row].first == NULL || first_lines_match(sniff, 1, others[row].first)) &&
           (others[row].three == NULL || first_lines_match(sniff, 3, others[row].three)) &&
           (others[row].is == NULL || others[row].is(sniff));
}

const char *importer_describe_other(const struct sniff *sniff) {
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (is_other(sniff, i)) {
            return others[i].what;
        }
    }
    return NULL;
}

/* dwTrace: binary function traces of wireless applications ("A significant trace", parts 1 to 3,
 * M. Honeyford, developerWorks 2003). The articles describe the records but publish no layout.
 * This layout is the project's interpretation; keys of the section `dwtrace:` in the configuration
 * cover variants.
 *
 * A header of 16 bytes: magic `DWTR`, version 1 (u16), flags (u16), process ID (u32), maximum file
 * size (u32, 0: unlimited). Little-endian; the magic `RTWD` means that all numbers are big-endian.
 * Flags: 1 records have a timestamp, 2 entries and exits have parameters, 4 records have a length
 * and the file wraps in place, 8 timestamps have 64 bits.
 *
 * A record: type (u8: 1 entry, 2 exit, 3 data, 4 wrap), with flag 4 its length (u16), then
 * function (u32: component and function), thread (u32), with flag 1 the timestamp (u32 or u64); an
 * exit's return code (i32); with flag 2 an entry's and exit's parameters: count (u8), then each:
 * type (u8), format control (u8), value; a data record's size (u16) and bytes. An entry of
 * function 0x17 of component 2 in thread 7, with the parameter UINT16 5:
 *
 *     01  17 00 02 00  07 00 00 00  01  04 00 05 00
 *
 * Quirks: a 32-bit timestamp wraps, so it seems to fall. A file that wrapped in place begins with
 * its newest records. After them a wrap record (type and length only) covers the rest of an
 * overwritten record; the oldest records follow. Only the wrap record shows that the file wrapped,
 * so the records before it are written to a spill file and imported last.
 *
 * Tables filled (through span.c): event (all columns of spans; arguments in the form described in
 * dwtrace_dump.c); name (kinds component and function); actor (pid and tid). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dwtrace_dump.h"
#include "input/spill_file.h"

enum {
    FEW_PARAMETERS = 8,
    SEARCH_STEPS = 1 << 27, /* maximum parameters parsed per file while searching for records */
    /* Number of consecutive good records that a search must find: MEASURED_CHAIN if records have
     * lengths, otherwise CHAIN. */
    MEASURED_CHAIN = 2, /* for records with lengths */
    CHAIN = 4,
    STRICT_SEARCH = 1024, /* is_likely() is strict up to so many bytes after damage */
    FAMILIAR_RECORDS = 8, /* is_likely() is strict only after so many good records */
    FUNCTION_CACHE_BITS = 16,
    THREAD_CACHE_BITS = 12,
};
/* Maximum distance of a time from the first record: 146 years in nanoseconds. */
#define TIME_LIMIT (INT64_MAX / 2)
/* If a 32-bit counter seems to rise by more than 2^32 minus this, it has really fallen. */
#define LATE_LIMIT (INT64_C(1) << 28)

/* Reasons (ledger.reason) for rejecting records. dwtrace_dump.h has further ones. */
static const char other_wrap[] = "wrap record where there can be none";
static const char bad_time[] = "time too far from that of the first record";

/* Id of a function or thread by its number; 0: unused slot. */
struct cached {
    uint32_t number, id;
};

/* Timestamps since the first record of the trace; 32-bit ones are extended to 64 bits. */
struct counter {
    int64_t begun; /* 1: a record has set `first` */
    uint64_t first, last;
};

struct dwtrace {
    struct dwtrace_layout layout; /* layout of the current file */
    /* Set from the trace's first file, or from state stored for --append: */
    bool begun;
    int64_t timestamp_bits, component_bits;
    int64_t hz; /* counter units a second; 0: unknown */
    struct counter counter;
    int64_t records; /* number of records of all threads; used as time if there are no timestamps */
    bool wrapped;
    struct cached functions[1 << FUNCTION_CACHE_BITS], threads[1 << THREAD_CACHE_BITS];
    uint8_t list[DWTRACE_LIST_LIMIT]; /* parameters of a record, as stored in the database */
};

/* --- header of a file ------------------------------------------------------------------------- */

static bool dwtrace_read_header(struct import *import, struct dwtrace_layout *layout,
                                struct reader *reader) {
    const struct dwtrace_settings *settings = dwtrace_settings(import_config(import));
    const uint8_t *bytes;

    if (!reader_need(reader, (size_t)settings->header_size, &bytes)) {
        return !reader_failed(reader) &&
               import_fail_file(import, "too short for a dwTrace log: its header has %u bytes",
                                (unsigned)settings->header_size);
    }
    if (!dwtrace_parse_header(bytes, settings, layout)) {
        return import_fail_file(import, "not a dwTrace log: it does not begin with DWTR or RTWD");
    }
    if (layout->version != 1) {
        return import_fail_file(
            import, "a dwTrace log of version %u, but only version 1 can be read%s",
            layout->version,
            layout->version == 0x100 ? "; if it has the other byte order, set byte_order in "
                                       "section dwtrace of the configuration"
                                     : "");
    }
    if (layout->unknown_flags != 0) {
        import_remark(import, "%s: unknown flags 0x%04x in the header are ignored",
                      import_source_name(import), layout->unknown_flags);
    }
    reader_take(reader, layout->header_size);
    return true;
}

static void dwtrace_report_clock(struct import *import, const struct dwtrace *state) {
    struct import_clock clock = {"ns", "wall", state->hz};

    if (state->timestamp_bits == 0) {
        clock = (struct import_clock){CLOCK_UNIT_RECORDS, "", 0};
    } else if (state->hz == 0) {
        clock.unit = CLOCK_UNIT_COUNTER;
    }
    import_clock(import, &clock);
}

/* Sets up the trace from its first file; refuses further files that do not agree with it. */
static bool dwtrace_begin_file(struct import *import, struct dwtrace *state) {
    static const char *const clocks[] = {"untimed", "32-bit", "64-bit"};
    unsigned bits = 8 * state->layout.timestamp_size;
    char variant[32];

    if (state->begun && bits != state->timestamp_bits) {
        return import_fail_file(
            import,
            "its timestamps are %s, those of the files before it %s: it does not "
            "belong to that trace",
            clocks[bits / 32], clocks[state->timestamp_bits / 32]);
    }
    state->begun = true;
    state->timestamp_bits = bits;
    snprintf(variant, sizeof variant, "%s %s", state->layout.big_endian ? "big" : "little",
             clocks[bits / 32]);
    import_variant(import, variant);
    dwtrace_report_clock(import, state);
    /* The next file may be of another process with the same thread numbers. */
    memset(state->threads, 0, sizeof state->threads);
    return true;
}

/* --- names of functions and threads ----------------------------------------------------------- */

static struct cached *find_cached(struct cached *cache, unsigned size_bits, uint32_t number) {
    return &cache[number * UINT32_C(2654435769) >> (32 - size_bits)];
}

static uint32_t find_component(struct import *import, const struct dwtrace *state,
                               uint32_t number) {
    const char *name = dwtrace_component_name(import_config(import), number);
    char digits[16];

    if (name == NULL) {
        snprintf(digits, sizeof digits, "%0*" PRIx32, (int)(state->component_bits + 3) / 4, number);
        name = digits;
    }
    return import_name(import, &(struct name_entry){
                                   .kind = "component",
                                   .code = number,
                                   .text = name,
                                   .length = strlen(name),
                               });
}

/* Adds the function to the import, with its name in the configuration if it has one. */
static uint32_t dwtrace_add_function(struct import *import, const struct dwtrace *state,
                                     uint32_t function, struct text *text) {
    unsigned bits = 32 - (unsigned)state->component_bits;
    uint32_t component = function >> bits, number = function & ((UINT32_C(1) << bits) - 1);
    struct name_entry name = {
        .kind = "function",
        .code = function,
        .component = find_component(import, state, component),
    };

    if (!dwtrace_function_name(import_config(import), component, number, text)) {
        text_append_format(text, "%0*" PRIx32 ":%0*" PRIx32, (int)(state->component_bits + 3) / 4,
                           component, (int)(bits + 3) / 4, number);
    }
    name.text = text_string(text);
    name.length = text->length;
    return import_name(import, &name);
}

static uint32_t dwtrace_find_function(struct import *import, struct dwtrace *state,
                                      uint32_t function) {
    struct cached *cached = find_cached(state->functions, FUNCTION_CACHE_BITS, function);

    if (cached->id == 0 || cached->number != function) {
        struct text text = {0};

        cached->number = function;
        cached->id = dwtrace_add_function(import, state, function, &text);
        text_free(&text);
    }
    return cached->id;
}

/* --- times and events ------------------------------------------------------------------------- */

/* Extends a 32-bit counter to 64 bits. A fall by more than half its range is a wrap. A rise by
 * nearly the whole range is an older value from before a wrap: threads do not write in the order in
 * which they read the counter. */
static uint64_t dwtrace_extend(const struct counter *counter, uint32_t timestamp) {
    uint64_t extended = (counter->last & ~(uint64_t)UINT32_MAX) | timestamp;
    int64_t step = (int64_t)timestamp - (int64_t)(counter->last & UINT32_MAX);

    if (step < -(INT64_C(1) << 31)) {
        return extended + (UINT64_C(1) << 32);
    }
    return step > (INT64_C(1) << 32) - LATE_LIMIT && extended > UINT32_MAX
               ? extended - (UINT64_C(1) << 32)
               : extended;
}

/* Converts counter units to nanoseconds, rounded to the nearest; keeps the units if the frequency
 * is unknown. Returns false beyond TIME_LIMIT. */
static bool convert_time(int64_t units, int64_t hz, int64_t *time) {
    __extension__ __int128 nanoseconds = (__int128)units * 1000000000;

    *time = units;
    if (hz > 0) {
        nanoseconds = (nanoseconds + (units < 0 ? -(hz / 2) : hz / 2)) / hz;
        if (nanoseconds > TIME_LIMIT || nanoseconds < -TIME_LIMIT) {
            return false;
        }
        *time = (int64_t)nanoseconds;
    }
    return *time <= TIME_LIMIT && *time >= -TIME_LIMIT;
}

/* Computes the time of a record from its timestamp. Returns false if it is too far from the first
 * record's. */
static bool dwtrace_find_time(struct dwtrace *state, uint64_t timestamp, int64_t *time) {
    struct counter *counter = &state->counter;

    *time = state->records++;
    if (state->timestamp_bits == 0) {
        return true;
    }
    if (state->timestamp_bits == 32 && counter->begun) {
        timestamp = dwtrace_extend(counter, (uint32_t)timestamp);
    }
    if (!counter->begun) {
        counter->begun = 1;
        counter->first = timestamp;
    }
    if (!convert_time((int64_t)(timestamp - counter->first), state->hz, time)) {
        return false;
    }
    counter->last = timestamp;
    return true;
}

static void dwtrace_add_record(struct import *import, struct dwtrace *state,
                               const struct dwtrace_record *record, int64_t offset) {
    struct span_record span = {.cpu = EVENT_NONE, .size = EVENT_NONE, .value = EVENT_NONE};
    int64_t length = (int64_t)record->length;

    if (!dwtrace_find_time(state, record->timestamp, &span.time)) {
        import_rejected(import, bad_time, offset, length);
        return;
    }
    span.operation = dwtrace_find_function(import, state, record->function);
    uint32_t thread = record->thread;
    struct cached *cached = find_cached(state->threads, THREAD_CACHE_BITS, thread);

    if (cached->id == 0 || cached->number != thread) {
        cached->number = thread;
        cached->id = import_thread(import, state->layout.process, thread, (struct word){NULL, 0});
    }
    span.actor = cached->id;
    span.process = state->layout.process;
    if (record->type == DWTRACE_DATA || state->layout.parameters) {
        span.size = record->size;
    }
    if (record->type == DWTRACE_DATA) {
        span.arguments = record->bytes;
        span.arguments_size = record->size;
        import_data(import, &span, offset);
        return;
    }
    if (record->parameters > 0) {
        span.arguments = record->bytes;
        span.arguments_size = record->bytes_length;
        if (!record->as_stored) {
            span.arguments_size =
                (uint32_t)dwtrace_normalise_list(&state->layout, record, state->list);
            span.arguments = state->list;
        }
    }
    if (record->type == DWTRACE_ENTRY) {
        import_entry(import, &span, offset, length);
    } else {
        span.value = record->code;
        import_exit(import, &span, offset, length);
    }
}

/* --- damaged records -------------------------------------------------------------------------- */

/* State of reading the records of a file, or of a part of it, from first to last. */
struct walk {
    struct dwtrace *state;
    struct reader *reader;
    struct error *error;
    struct spill_file *spill;     /* receives the bytes that are consumed; NULL: no spill file */
    struct dwtrace_layout search; /* layout used for records that a search tests */
    int64_t steps;                /* remaining number of parameters that searches may parse */
    bool timed;                   /* true: `timestamp` is set */
    uint64_t timestamp;           /* timestamp of the last good record */
    size_t passed;                /* bytes skipped by the current search */
    bool cut;     /* true: the last record read was cut off by the end of the file */
    bool wrapped; /* true: a wrap record was found */
};

static struct walk make_walk(struct dwtrace *state, struct reader *reader, struct error *error) {
    struct walk walk = {
        .state = state,
        .reader = reader,
        .error = error,
        .search = state->layout,
        .steps = SEARCH_STEPS,
    };

    walk.search.only_known = true;
    return walk;
}

/* Consumes `count` bytes; copies them to the spill file if there is one. Returns false if the disk
 * is full. */
static bool dwtrace_pass(struct walk *walk, size_t count) {
    if (walk->spill != NULL &&
        !spill_file_append(walk->spill, reader_bytes(walk->reader), count, walk->error)) {
        return false;
    }
    reader_take(walk->reader, count);
    return true;
}

/* Parses a record in a search. The cost is bounded: after SEARCH_STEPS parameters, long lists are
 * rejected. */
static const char *try_record_in_search(struct walk *walk, const uint8_t *bytes, size_t available,
                                        struct dwtrace_record *record) {
    const char *damage = dwtrace_parse_record(&walk->search, bytes, available, record);

    walk->steps -= record->parameters;
    if (walk->steps < 0) {
        walk->search.most_parameters = FEW_PARAMETERS;
    }
    return damage;
}

/* Returns whether `count` good records follow one another, or fewer that reach the end of the
 * bytes. A record that goes beyond that end counts as good unless the file ends there (`whole`). */
static bool records_follow_each_other(struct walk *walk, const uint8_t *bytes, size_t available,
                                      bool whole, unsigned count) {
    for (size_t at = 0; count > 0 && at < available; count--) {
        struct dwtrace_record record;
        const char *damage = try_record_in_search(walk, bytes + at, available - at, &record);

        if (damage != NULL) {
            return !whole && (damage == dwtrace_truncated || damage == dwtrace_data_overrun ||
                              damage == dwtrace_bad_wrap);
        }
        at += record.length;
    }
    return true;
}

/* Returns the counter units from one timestamp of the log to another. */
static int64_t dwtrace_step(const struct walk *walk, uint64_t from, uint64_t to) {
    return walk->search.timestamp_size == 4 ? (int32_t)(uint32_t)(to - from) : (int64_t)(to - from);
}

/* Returns the length of the wrap record at `bytes`; 0 if there is none. Nearly any bytes look like
 * a wrap record. So one is accepted only if good records follow that are older than the records
 * before it. */
static size_t wrap_record_length(struct walk *walk, const uint8_t *bytes, size_t available,
                                 bool whole) {
    struct dwtrace_record wrap, oldest;

    if (bytes[0] != DWTRACE_WRAP || walk->spill == NULL || !walk->timed ||
        try_record_in_search(walk, bytes, available, &wrap) != NULL || wrap.length == available) {
        return 0;
    }
    bytes += wrap.length;
    available -= wrap.length;
    return try_record_in_search(walk, bytes, available, &oldest) == NULL &&
                   oldest.type != DWTRACE_WRAP &&
                   dwtrace_step(walk, walk->timestamp, oldest.timestamp) <= 0 &&
                   records_follow_each_other(walk, bytes, available, whole, MEASURED_CHAIN)
               ? wrap.length
               : 0;
}

/* Returns whether the record's function or its thread is known from an earlier record. */
static bool is_familiar(struct dwtrace *state, const struct dwtrace_record *record) {
    const struct cached *function =
        find_cached(state->functions, FUNCTION_CACHE_BITS, record->function);
    const struct cached *thread = find_cached(state->threads, THREAD_CACHE_BITS, record->thread);

    return (function->id != 0 && function->number == record->function) ||
           (thread->id != 0 && thread->number == record->thread);
}

/* Returns whether records found by a search resemble earlier ones. Without lengths, bytes of a
 * damaged record may look like good records, but with unknown functions and threads, or falling
 * times. Near the damage, such records are refused: to lose a good record is better than to shift
 * all later times. */
static bool is_likely(struct walk *walk, const uint8_t *bytes, size_t available) {
    uint64_t before = walk->timestamp;

    if (walk->search.lengths || walk->passed > STRICT_SEARCH || walk->state == NULL ||
        walk->state->records < FAMILIAR_RECORDS) {
        return true;
    }
    for (unsigned i = 0, at = 0; i < CHAIN && at < available; i++) {
        struct dwtrace_record record;

        if (try_record_in_search(walk, bytes + at, available - at, &record) != NULL) {
            return true;
        }
        if (!is_familiar(walk->state, &record) ||
            ((i > 0 || walk->timed) && dwtrace_step(walk, before, record.timestamp) < 0)) {
            return false;
        }
        before = record.timestamp;
        at += (unsigned)record.length;
    }
    return true;
}

/* Returns whether a record probably begins at `bytes`. */
static bool dwtrace_is_record(struct walk *walk, const uint8_t *bytes, size_t available,
                              bool whole) {
    return bytes[0] >= DWTRACE_ENTRY && bytes[0] <= DWTRACE_DATA &&
           records_follow_each_other(walk, bytes, available, whole,
                                     walk->search.lengths ? MEASURED_CHAIN : CHAIN) &&
           is_likely(walk, bytes, available);
}

/* Moves from a damaged record to the start of the next one, or to the end of the file. If a wrap
 * record directly precedes that start, sets `wrapped` and truncates the spill file to the bytes
 * before the wrap record. */
static bool dwtrace_search_record(struct walk *walk) {
    int64_t wrap = 0, oldest = INT64_MAX; /* offsets of a wrap record and of the record after it */
    size_t available;

    for (walk->passed = 1;; walk->passed++) {
        const uint8_t *bytes;
        size_t length;
        bool whole;

        if (!dwtrace_pass(walk, 1)) {
            return false;
        }
        available = reader_fill(walk->reader, READER_WINDOW);
        whole = available < READER_WINDOW;
        bytes = reader_bytes(walk->reader);
        if (available == 0 || dwtrace_is_record(walk, bytes, available, whole)) {
            break;
        }
        length = wrap_record_length(walk, bytes, available, whole);
        if (length > 0 && reader_offset(walk->reader) + (int64_t)length < oldest) {
            wrap = reader_offset(walk->reader);
            oldest = wrap + (int64_t)length;
        }
    }
    walk->wrapped = reader_offset(walk->reader) == oldest;
    return !walk->wrapped ||
           spill_file_truncate(walk->spill, wrap - (int64_t)walk->search.header_size, walk->error);
}

static bool skip_damage_at_cursor(struct walk *walk, const char *damage, size_t available) {
    /* If records have no lengths, a record cut off by the end of the file is taken as the last one:
     * its bytes are not searched for another. */
    return damage == dwtrace_truncated && !walk->search.lengths ? dwtrace_pass(walk, available)
                                                                : dwtrace_search_record(walk);
}

/* --- reading records -------------------------------------------------------------------------- */

/* Reads records up to the end of the reader's bytes, of a file or a spill file. */
static bool dwtrace_read_records(struct import *import, struct walk *walk) {
    struct dwtrace *state = walk->state;
    struct reader *reader = walk->reader;
    size_t available;

    while ((available = reader_fill(reader, DWTRACE_RECORD_LIMIT)) > 0) {
        int64_t offset = reader_offset(reader);
        struct dwtrace_record record;
        const char *damage =
            dwtrace_parse_record(&state->layout, reader_bytes(reader), available, &record);

        walk->cut = damage == dwtrace_truncated;
        if (damage != NULL) {
            if (!skip_damage_at_cursor(walk, damage, available)) {
                return false;
            }
            import_rejected(import, damage, offset, reader_offset(reader) - offset);
        } else if (record.type == DWTRACE_WRAP) {
            reader_take(reader, record.length);
            import_rejected(import, other_wrap, offset, (int64_t)record.length);
        } else {
            dwtrace_add_record(import, state, &record, offset);
            walk->timed = walk->search.timestamp_size > 0;
            walk->timestamp = record.timestamp;
            reader_take(reader, record.length);
        }
    }
    return !reader_failed(reader);
}

/* Copies the bytes up to the wrap record to the spill file, or all bytes if there is none. The
 * reader is then after the wrap record. */
static bool find_wrap(struct walk *walk) {
    size_t available;
    bool done = true;

    while (done && !walk->wrapped &&
           (available = reader_fill(walk->reader, DWTRACE_RECORD_LIMIT)) > 0) {
        struct dwtrace_record record;
        const char *damage = dwtrace_parse_record(&walk->state->layout, reader_bytes(walk->reader),
                                                  available, &record);

        if (damage != NULL) {
            done = skip_damage_at_cursor(walk, damage, available);
        } else if (record.type == DWTRACE_WRAP) {
            reader_take(walk->reader, record.length);
            walk->wrapped = true;
        } else {
            walk->timed = walk->search.timestamp_size > 0;
            walk->timestamp = record.timestamp;
            done = dwtrace_pass(walk, record.length);
        }
    }
    return done && !reader_failed(walk->reader);
}

/* Imports the spilled bytes: the newest records of a file that wrapped, or else the whole file. */
static bool read_spilled(struct import *import, struct dwtrace *state, struct spill_file *spill,
                         bool *cut, struct error *error) {
    struct reader reader;
    struct walk walk = make_walk(state, &reader, error);
    bool done;

    if (!spill_file_replay(spill, &reader, (int64_t)state->layout.header_size, error)) {
        return false;
    }
    done = dwtrace_read_records(import, &walk);
    *cut = walk.cut;
    reader_free(&reader);
    return done;
}

/* Imports a file of a log that wraps in place: the oldest records first, if it has wrapped. */
static bool read_wrapping(struct import *import, struct walk *walk) {
    bool done;

    walk->spill = spill_file_open(walk->error);
    if (walk->spill == NULL) {
        return false;
    }
    done = find_wrap(walk);
    if (done && walk->wrapped) {
        struct walk oldest = make_walk(walk->state, walk->reader, walk->error);

        if (!walk->state->wrapped) {
            walk->state->wrapped = true;
            import_remark(import, "the log is a ring buffer that wrapped: its beginning is lost");
        }
        done = dwtrace_read_records(import, &oldest);
    }
    done = done && read_spilled(import, walk->state, walk->spill, &walk->cut, walk->error);
    spill_file_close(walk->spill);
    return done;
}

static void read_dwtrace(struct import *import, void *context, struct reader *reader) {
    struct dwtrace *state = context;
    struct error error = {0};
    struct walk walk;
    bool done;

    if (!dwtrace_read_header(import, &state->layout, reader) ||
        !dwtrace_begin_file(import, state)) {
        return;
    }
    walk = make_walk(state, reader, &error);
    done = state->layout.lengths && state->layout.maximum > 0 ? read_wrapping(import, &walk)
                                                              : dwtrace_read_records(import, &walk);
    if (!done && error.status != EXIT_DONE) {
        *import_failure(import) = error;
    }
    if (done && !walk.wrapped && walk.cut && reader_offset(reader) == state->layout.maximum) {
        import_remark(import, "%s stopped at its maximum size of %" PRIu32 " bytes",
                      import_source_name(import), state->layout.maximum);
    }
}

/* --- reading a whole file --------------------------------------------------------------------- */

static void begin_dwtrace(struct import *import, void *context) {
    struct dwtrace *state = context;
    const struct dwtrace_settings *settings = dwtrace_settings(import_config(import));

    if (!state->begun) {
        state->hz = settings->clock_hz;
        state->component_bits = settings->component_bits;
    }
    if (state->timestamp_bits % 32 != 0) {
        import_refuse_saved_state(import);
    }
}

/* Accepts a log of any version: read() refuses those that are not supported. */
static enum sniff_score sniff_dwtrace(const struct sniff *sniff) {
    return dwtrace_is_magic(sniff->bytes, sniff->length) ? SNIFF_MAGIC : SNIFF_NO;
}

/* Returns a file's first timestamp, by which the files of a trace are ordered. EVENT_NONE: files
 * without timestamps are ordered by name. */
static int64_t first_time_dwtrace(const struct sniff *sniff, const struct config *config,
                                  int64_t *range) {
    const struct dwtrace_settings *settings = dwtrace_settings(config);
    struct walk walk = {.steps = SEARCH_STEPS};

    if (sniff->length < (size_t)settings->header_size ||
        !dwtrace_parse_header(sniff->bytes, settings, &walk.search) ||
        walk.search.timestamp_size == 0) {
        return EVENT_NONE;
    }
    *range = walk.search.timestamp_size == 4 ? INT64_C(1) << 32 : 0;
    for (size_t at = walk.search.header_size; at < sniff->length; at++) {
        const uint8_t *bytes = sniff->bytes + at;
        struct dwtrace_record record;

        if (dwtrace_is_record(&walk, bytes, sniff->length - at, sniff->whole) &&
            try_record_in_search(&walk, bytes, sniff->length - at, &record) == NULL) {
            return record.timestamp > INT64_MAX ? INT64_MAX : (int64_t)record.timestamp;
        }
    }
    return EVENT_NONE;
}

/* --- definition of the importer --------------------------------------------------------------- */

static const struct event_meaning meanings[] = {
    {EVENT_PLACE_DURATION, "", "call", "clock"},
    {EVENT_PLACE_ACTOR, "", "thread", ""},
    {EVENT_PLACE_SIZE, "", "arguments", "bytes"},
    {EVENT_PLACE_VALUE, "", "result", ""},
    {EVENT_PLACE_ARGUMENTS, "", "dwtrace", ""},
    {EVENT_PLACE_SELF, "", "call", "clock"},
    {0},
};

static const struct resume_value resume[] = {
    {"bits", offsetof(struct dwtrace, timestamp_bits), 0, 64, false},
    {"component", offsetof(struct dwtrace, component_bits), 1, 31, false},
    {"hz", offsetof(struct dwtrace, hz), 0, DWTRACE_MOST_HZ, false},
    {"begun", offsetof(struct dwtrace, counter.begun), 0, 1, false},
    {"first", offsetof(struct dwtrace, counter.first), 0, 0, true},
    {"last", offsetof(struct dwtrace, counter.last), 0, 0, true},
    {"records", offsetof(struct dwtrace, records), 0, INT64_MAX / 2, false},
    {0},
};

extern const struct importer dwtrace_importer;

const struct importer dwtrace_importer = {
    .name = "dwtrace",
    .in_pieces = true,
    .description = "binary function traces of wireless applications (developerWorks, 2003)",
    .line = NULL,
    .made_of = "a header with its magic number",
    .variants = "little or big, then 32-bit, 64-bit or untimed",
    .kinds = 1u << TRACE_SPANS,
    .meanings = {[TRACE_SPANS] = meanings},
    .facts = {[TRACE_SPANS] = FACTS_ALL},
    .columns = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_FLAGS | EVENT_SIZE |
               EVENT_VALUE | EVENT_PARENT | EVENT_DEPTH | EVENT_ARGUMENTS | EVENT_SELF,
    .state_size = sizeof(struct dwtrace),
    .sniff = sniff_dwtrace,
    .begin = begin_dwtrace,
    .resume = resume,
    .resume_begun = offsetof(struct dwtrace, begun),
    .read = read_dwtrace,
    .first_time = first_time_dwtrace,
    .dump_span = dwtrace_dump_span,
    .begin_dump = dwtrace_begin_dump,
    .end_dump = dwtrace_end_dump,
};

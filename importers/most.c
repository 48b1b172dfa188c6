/* MOST (Mobile Storage Analyzer): block I/O of Android phones, text form (".po").
 *
 * One event a line, fields separated by one TAB, most of them padded with blanks:
 *
 *     0.108687501 Q WS  4080112    8  137      jbd2/mmcblk0p28  J
 *     7.152101611 C WA  4800240   24  135          flush-179:0  D  /data/…/cache/Cache/data_1
 *
 * seconds.nanoseconds since the start of the trace, action (a blktrace letter), rwbs, sector,
 * blocks, pid, process, block type (M metadata, J journal, D data) and, for data only, the file.
 * Sectors and blocks have 512 bytes.
 *
 * Quirks: blocks may be 0 (flushes); `file-NONE` stands for a block whose file is not known;
 * process and file may contain blanks.
 *
 * Fills: event (time, operation, actor, object, flags, address, size), name (kind action), actor
 * (pid and process), object (file and file type).
 */
#include <string.h>

#include "import/file_type.h"
#include "import/importer.h"

enum {
    SECTOR_SIZE = 512,
    FEWEST_FIELDS = 8, /* without a file */
    MOST_FIELDS = 9,
    ACTION_LETTERS = 2,    /* C, Q, …, UT */
    MOST_BLOCKS = 1 << 24, /* 8 GiB: no request is that long, and sums stay in range */
};

static const char bad_fields[] = "not 8 or 9 fields separated by TABs";
static const char bad_time[] = "time is not seconds.nanoseconds";
static const char bad_action[] = "action is not one or two capital letters";
static const char bad_rwbs[] = "unknown letter in rwbs";
static const char bad_number[] = "sector, blocks or pid is not a number in range";
static const char bad_block_type[] = "block type is not M, J or D";
static const char long_line[] = "line longer than 262144 bytes";

struct field {
    const char *bytes;
    size_t length;
};

enum { TIME, ACTION, RWBS, SECTOR, BLOCKS, PID, PROCESS, BLOCK_TYPE, FILE_NAME };

struct most {
    struct file_types types;
};

/* --- one line -------------------------------------------------------------------------------- */

static bool is_blank(char byte) {
    return byte == ' ' || byte == '\r';
}

static struct field trim(const char *begin, const char *end) {
    while (begin < end && is_blank(*begin)) {
        begin++;
    }
    while (end > begin && is_blank(end[-1])) {
        end--;
    }
    return (struct field){begin, (size_t)(end - begin)};
}

/* Splits a line at its TABs; returns how many fields there are, MOST_FIELDS + 1 for too many. */
static size_t split(const char *line, size_t length, struct field fields[MOST_FIELDS]) {
    const char *end = line + length;

    for (size_t count = 0; count < MOST_FIELDS; count++) {
        const char *tab = memchr(line, '\t', (size_t)(end - line));

        fields[count] = trim(line, tab == NULL ? end : tab);
        if (tab == NULL) {
            return count + 1;
        }
        line = tab + 1;
    }
    return MOST_FIELDS + 1;
}

static bool parse_number(const char *digits, size_t length, int64_t limit, int64_t *number) {
    *number = 0;
    if (length == 0 || length > 18) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9') {
            return false;
        }
        *number = *number * 10 + (digits[i] - '0');
    }
    return *number <= limit;
}

/* seconds.nanoseconds, with exactly nine digits behind the point. */
static bool parse_time(struct field field, int64_t *time) {
    const char *point = memchr(field.bytes, '.', field.length);
    int64_t seconds, nanoseconds;

    if (point == NULL || field.bytes + field.length - point != 10 ||
        !parse_number(field.bytes, (size_t)(point - field.bytes), INT64_C(2000000000), &seconds) ||
        !parse_number(point + 1, 9, 999999999, &nanoseconds)) {
        return false;
    }
    *time = seconds * 1000000000 + nanoseconds;
    return true;
}

static bool is_action(struct field field) {
    for (size_t i = 0; i < field.length; i++) {
        if (field.bytes[i] < 'A' || field.bytes[i] > 'Z') {
            return false;
        }
    }
    return field.length >= 1 && field.length <= ACTION_LETTERS;
}

/* R makes it a read, else W a write, S makes it sync; neither R nor W is other. F before the
 * direction is a flush, behind it FUA. */
static bool parse_rwbs(struct field field, uint32_t *flags) {
    bool read = false, write = false, sync = false;

    *flags = 0;
    for (size_t i = 0; i < field.length; i++) {
        switch (field.bytes[i]) {
        case 'R':
            read = true;
            break;
        case 'W':
            write = true;
            break;
        case 'S':
            sync = true;
            break;
        case 'F':
            *flags |= read || write ? IO_FLAG_FUA : IO_FLAG_FLUSH;
            break;
        case 'D':
            *flags |= IO_FLAG_DISCARD;
            break;
        case 'M':
            *flags |= IO_FLAG_METADATA;
            break;
        case 'A':
            *flags |= IO_FLAG_READ_AHEAD;
            break;
        case 'B':
            *flags |= IO_FLAG_BARRIER;
            break;
        case 'N':
            break;
        default:
            return false;
        }
    }
    *flags |= read    ? (sync ? IO_READSYNC : IO_READ)
              : write ? (sync ? IO_WRITESYNC : IO_WRITE)
                      : IO_OTHER;
    return field.length > 0;
}

static bool parse_block_type(struct field field, uint32_t *flags) {
    enum io_block_type type;

    if (field.length != 1) {
        return false;
    }
    switch (field.bytes[0]) {
    case 'M':
        type = IO_BLOCK_METADATA;
        break;
    case 'J':
        type = IO_BLOCK_JOURNAL;
        break;
    case 'D':
        type = IO_BLOCK_DATA;
        break;
    default:
        return false;
    }
    *flags |= (uint32_t)type << IO_BLOCK_SHIFT;
    return true;
}

struct io {
    int64_t time, sector, blocks, pid;
    uint32_t flags;
    struct field action, process, file;
};

/* NULL when the line is good, else the reason why not. */
static const char *parse_line(const char *line, size_t length, struct io *io) {
    struct field fields[MOST_FIELDS] = {{NULL, 0}};
    size_t count = split(line, length, fields);

    if (count < FEWEST_FIELDS || count > MOST_FIELDS) {
        return bad_fields;
    }
    if (!parse_time(fields[TIME], &io->time)) {
        return bad_time;
    }
    if (!is_action(fields[ACTION])) {
        return bad_action;
    }
    if (!parse_rwbs(fields[RWBS], &io->flags)) {
        return bad_rwbs;
    }
    if (!parse_number(fields[SECTOR].bytes, fields[SECTOR].length, INT64_C(1) << 54, &io->sector) ||
        !parse_number(fields[BLOCKS].bytes, fields[BLOCKS].length, MOST_BLOCKS, &io->blocks) ||
        !parse_number(fields[PID].bytes, fields[PID].length, UINT32_MAX, &io->pid)) {
        return bad_number;
    }
    if (!parse_block_type(fields[BLOCK_TYPE], &io->flags)) {
        return bad_block_type;
    }
    io->action = fields[ACTION];
    io->process = fields[PROCESS];
    io->file = fields[FILE_NAME];
    if (io->file.length == 9 && memcmp(io->file.bytes, "file-NONE", 9) == 0) {
        io->file.length = 0;
    }
    return NULL;
}

/* --- events ---------------------------------------------------------------------------------- */

/* Finds the names an I/O speaks of, then makes the event. */
static bool keep_io(struct import *import, struct most *most, const struct io *io) {
    const char *type = file_types_find(&most->types, io->file.bytes, io->file.length);
    uint32_t operation = import_name(import, &(struct name_entry){
                                                 .kind = "action",
                                                 .code = EVENT_NONE,
                                                 .text = io->action.bytes,
                                                 .length = io->action.length,
                                             });
    uint32_t actor = import_actor(import, &(struct actor_entry){
                                              .session = 1,
                                              .pid = io->pid,
                                              .tid = EVENT_NONE,
                                              .code = EVENT_NONE,
                                              .name = io->process.bytes,
                                              .length = io->process.length,
                                          });
    uint32_t object =
        import_object(import, &(struct object_entry){
                                  .name = io->file.length == 0 ? NULL : io->file.bytes,
                                  .length = io->file.length,
                                  .type = type,
                                  .device = EVENT_NONE,
                              });
    uint32_t file_type = import_label(import, type, strlen(type));
    uint32_t process = import_label(import, io->process.bytes, io->process.length);
    struct event *event;

    if (operation == 0 || actor == 0 || object == 0 || file_type == 0 || process == 0 ||
        (event = import_event(import)) == NULL) {
        return false;
    }
    event->time = io->time;
    event->operation = operation;
    event->actor = actor;
    event->object = object;
    event->flags = io->flags;
    event->address = io->sector;
    event->size = io->blocks * SECTOR_SIZE;
    event->file_type = file_type;
    event->process = process;
    return true;
}

static bool begin_most(struct import *import, void *state, struct error *error) {
    struct most *most = state;

    import_variant(import, "text");
    return file_types_init(&most->types, import_config(import), error);
}

static bool end_most(struct import *import, void *state, bool failed, struct error *error) {
    struct most *most = state;

    (void)import;
    (void)failed;
    (void)error;
    file_types_free(&most->types);
    return true;
}

static bool read_most(struct import *import, void *state, struct reader *reader,
                      struct error *error) {
    const char *line;
    size_t length;
    int64_t offset;
    enum reader_line kind;

    (void)error;
    while ((kind = reader_line(reader, &line, &length, &offset)) != READER_END) {
        const char *damage = long_line;
        struct io io;

        if (kind == READER_LINE) {
            if (trim(line, line + length).length == 0) {
                continue;
            }
            damage = parse_line(line, length, &io);
        }
        if (damage != NULL) {
            import_rejected(import, damage, offset, reader_offset(reader) - offset);
        } else if (!keep_io(import, state, &io)) {
            return false;
        }
    }
    return true;
}

/* Most of the first lines are events. */
static enum sniff_score sniff_most(const struct sniff *sniff) {
    const char *line = (const char *)sniff->bytes, *end = line + sniff->length;
    int good = 0, bad = 0;

    while (line < end && good + bad < 50) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((newline == NULL ? end : newline) - line);
        struct io io;

        if (newline == NULL && !sniff->whole) {
            break;
        }
        if (trim(line, line + length).length > 0) {
            if (parse_line(line, length, &io) == NULL) {
                good++;
            } else {
                bad++;
            }
        }
        line = newline == NULL ? end : newline + 1;
    }
    return good > bad ? SNIFF_LIKELY : SNIFF_NO;
}

/* --- dump ------------------------------------------------------------------------------------ */

/* Between the direction and S. */
static const struct {
    uint32_t flag;
    char letter;
} later_letters[] = {
    {IO_FLAG_FUA, 'F'},
    {IO_FLAG_READ_AHEAD, 'A'},
    {IO_FLAG_BARRIER, 'B'},
};

/* rwbs in the order in which blkparse writes it. */
static void append_rwbs(uint32_t flags, struct text *out) {
    enum io_class class = io_class_of(flags);

    if (flags & IO_FLAG_FLUSH) {
        text_append_char(out, 'F');
    }
    if (flags & IO_FLAG_DISCARD) {
        text_append_char(out, 'D');
    }
    if (class == IO_READ || class == IO_READSYNC) {
        text_append_char(out, 'R');
    } else if (class == IO_WRITE || class == IO_WRITESYNC) {
        text_append_char(out, 'W');
    } else if (!(flags & IO_FLAG_DISCARD)) {
        text_append_char(out, 'N');
    }
    for (size_t i = 0; i < sizeof later_letters / sizeof later_letters[0]; i++) {
        if (flags & later_letters[i].flag) {
            text_append_char(out, later_letters[i].letter);
        }
    }
    if (class == IO_READSYNC || class == IO_WRITESYNC) {
        text_append_char(out, 'S');
    }
    if (flags & IO_FLAG_METADATA) {
        text_append_char(out, 'M');
    }
}

/* action rwbs sector + blocks [pid process] block-type file */
static void dump_most(const struct dump_event *dump, struct text *out) {
    static const char *const block_types[] = {"none",     "data",      "journal",
                                              "metadata", "anonymous", "?"};
    unsigned block_type = io_block_type_of(dump->event.flags);

    text_append_escaped(out, dump->operation, dump->operation_length);
    text_append_char(out, ' ');
    append_rwbs(dump->event.flags, out);
    text_append_format(out, " %lld + %lld [%lld ", (long long)dump->event.address,
                       (long long)(dump->event.size / SECTOR_SIZE), (long long)dump->pid);
    text_append_escaped(out, dump->actor, dump->actor_length);
    text_append_format(out, "] %s", block_types[block_type < 5 ? block_type : 5]);
    if (dump->object_length > 0) {
        text_append_char(out, ' ');
        text_append_escaped(out, dump->object, dump->object_length);
    }
}

const struct importer most_importer = {
    .name = "most",
    .description = "block I/O of Android phones, MOST's text form",
    .variants = "text",
    .kind = TRACE_IO,
    .columns =
        EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS | EVENT_ADDRESS | EVENT_SIZE,
    .state_size = sizeof(struct most),
    .sniff = sniff_most,
    .begin = begin_most,
    .read = read_most,
    .end = end_most,
    .dump = dump_most,
};

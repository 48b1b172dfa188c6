/* fio-iolog: the text log that fio writes (--write_iolog) and replays (--read_iolog). The first
 * line gives the version. Version 2:
 *
 *     fio version 2 iolog
 *     f.dat add
 *     f.dat open
 *     f.dat read 0 4096
 *     f.dat wait 1000 0
 *     f.dat close
 *
 * A line has file and action; for read, write, trim, sync, datasync and wait also an offset and a
 * length in bytes. A wait has microseconds in place of the offset. Version 3, of fio 3.31 and
 * later, has no wait. Instead each line begins with the microseconds since the start:
 *
 *     fio version 3 iolog
 *     21 f.dat add
 *     152 f.dat read 12288 4096
 *
 * An action of I/O becomes the arrival of a request (Q); sync and datasync are flushes without a
 * sector, trim is a discard. Offsets are relative to the file, so each file counts as a device,
 * numbered in the order of the log. The file name is also set.
 *
 * Quirks: names have no blanks. Version 2 has no times; the waits are added up. Version 1, which
 * fio itself no longer reads, is refused. Several files (one per job) are merged by time.
 *
 * Tables filled: event (time, operation, object, flags, address, size; an actor without a name);
 * name (kind action); object (file, file type, device). */
#include "base/time_unit.h"
#include "block_io.h"
#include "device_names.h"
#include "lines.h"

/* Reasons (ledger.reason) for rejecting or ignoring lines. */
static const char bad_fields[] = "not file and action, with offset and length where it is I/O";
static const char bad_time[] = "time is not microseconds in range";
static const char bad_action[] = "unknown action";
static const char bad_number[] = "offset or length is not a number in range";
static const char of_file[] = "add, open or close of a file";
static const char of_wait[] = "wait";
static const char before_log[] = "before the line `fio version`";

struct fio {
    struct block_io io;
    struct device_names files;
    int64_t unaligned; /* number of offsets that are no multiple of the sector size */
};

/* State of reading a file of the trace. */
struct file {
    int64_t version; /* version of the iolog; 0: the file is not an iolog */
    bool begun;      /* true: the first line was read */
    /* Version 2: sums of the waits. read: in the lines read ahead; taken: in the lines imported. */
    int64_t read, taken;
};

/* --- parsing one line ------------------------------------------------------------------------- */

enum kind { KIND_IO, KIND_WAIT, KIND_FILE };

static const struct action {
    const char *name;
    enum kind kind;
    uint32_t flags;
    bool has_place;
} actions[] = {
    {"read", KIND_IO, IO_READ, true},
    {"write", KIND_IO, IO_WRITE, true},
    {"trim", KIND_IO, IO_OTHER | IO_FLAG_DISCARD, true},
    {"sync", KIND_IO, IO_OTHER | IO_FLAG_FLUSH, false},
    {"datasync", KIND_IO, IO_OTHER | IO_FLAG_FLUSH, false},
    {"wait", KIND_WAIT, 0, false},
    {"add", KIND_FILE, 0, false},
    {"open", KIND_FILE, 0, false},
    {"close", KIND_FILE, 0, false},
};

struct parsed {
    int64_t time; /* time of the line in version 3, nanoseconds */
    struct word file;
    const struct action *action;
    int64_t offset, length; /* bytes; for a wait, `offset` is its duration in microseconds */
};

static const struct action *fio_iolog_find_action(struct word word) {
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
        if (word_is(word, actions[i].name)) {
            return &actions[i];
        }
    }
    return NULL;
}

/* Parses a line of an iolog of version `version`. Returns NULL, or why the line is bad. */
static const char *fio_iolog_parse_line(int64_t version, struct word line, struct parsed *parsed) {
    *parsed = (struct parsed){0};
    if (version == 3) {
        if (!word_number(word_next(&line), BLOCK_IO_SECONDS * 1000000, &parsed->time)) {
            return bad_time;
        }
        parsed->time *= 1000;
    }
    parsed->file = word_next(&line);
    parsed->action = fio_iolog_find_action(word_next(&line));
    if (parsed->action == NULL || (version == 3 && parsed->action->kind == KIND_WAIT)) {
        return parsed->file.length == 0 ? bad_fields : bad_action;
    }
    if (parsed->action->kind == KIND_FILE) {
        return word_peek(&line) == '\0' ? NULL : bad_fields;
    }
    if (!word_number(word_next(&line), INT64_MAX, &parsed->offset) ||
        !word_number(word_next(&line), (int64_t)BLOCK_IO_BLOCKS * SECTOR_SIZE, &parsed->length) ||
        (parsed->action->kind == KIND_WAIT && parsed->offset > BLOCK_IO_SECONDS * 1000000)) {
        return bad_number;
    }
    return word_peek(&line) == '\0' ? NULL : bad_fields;
}

/* Returns the version in the first line of a log; 0 if it has none. */
static int64_t version_in_first_line(struct word line) {
    int64_t version;

    return word_accept(&line, "fio version ") && word_next_number(&line, 1000, &version) &&
                   word_accept(&line, "iolog") && word_peek(&line) == '\0'
               ? version
               : 0;
}

/* Finds the first line of a log, perhaps after other text. A line of the log must follow it, since
 * manuals quote the first line alone. Returns the version, or 0. */
static int64_t find_version(const void *bytes, size_t length) {
    struct word rest = {bytes, length};
    struct parsed parsed;
    int64_t version = version_in_first_line(word_field(&rest, '\n'));

    if (version > 0) {
        return version;
    }
    while (rest.length > 0 && version == 0) {
        version = version_in_first_line(word_field(&rest, '\n'));
    }
    return fio_iolog_parse_line(version, word_field(&rest, '\n'), &parsed) == NULL ? version : 0;
}

static enum sniff_score sniff_fio(const struct sniff *sniff) {
    struct word rest = {(const char *)sniff->bytes, sniff->length};

    return version_in_first_line(word_field(&rest, '\n')) > 0 ? SNIFF_MAGIC
           : find_version(sniff->bytes, sniff->length) > 0    ? SNIFF_GREEDY
                                                              : SNIFF_NO;
}

/* --- reading files ---------------------------------------------------------------------------- */

static bool open_fio(struct stream *stream, struct error *error) {
    struct file *file = stream->state;
    size_t length;

    reader_skip_mark(stream->reader);
    length = reader_fill(stream->reader, SNIFF_LENGTH);
    file->version = find_version(reader_bytes(stream->reader), length);
    return length == 0 || file->version == 2 || file->version == 3 ||
           error_set(error, "not fio's iolog of version 2 or 3: no line `fio version 2 iolog`");
}

/* Version 2: adds the duration of a wait to the time of the next lines, up to the maximum time. */
static void fio_iolog_wait_for(int64_t *time, const struct parsed *parsed) {
    int64_t most = BLOCK_IO_SECONDS * SECOND;

    *time = parsed->offset * 1000 > most - *time ? most : *time + parsed->offset * 1000;
}

static bool next_fio(struct stream *stream, struct stream_record *record) {
    struct file *file = stream->state;
    struct parsed parsed;

    if (!stream_next_line(stream, record)) {
        return false;
    }
    if (file->version == 2 && record->bytes != NULL &&
        fio_iolog_parse_line(2, (struct word){(const char *)record->bytes, record->length},
                             &parsed) == NULL &&
        parsed.action->kind == KIND_WAIT) {
        fio_iolog_wait_for(&file->read, &parsed);
    }
    return true;
}

static int64_t time_of_fio(const struct stream *stream, const struct stream_record *record) {
    const struct file *file = stream->state;
    struct parsed parsed;

    if (file->version == 2) {
        return file->read;
    }
    return record->bytes != NULL &&
                   fio_iolog_parse_line(file->version,
                                        (struct word){(const char *)record->bytes, record->length},
                                        &parsed) == NULL
               ? parsed.time
               : EVENT_NONE;
}

/* --- adding events ---------------------------------------------------------------------------- */

/* Adds the event of a request. Returns NULL, or why the line is rejected. */
static const char *fio_iolog_add(struct import *import, struct fio *state,
                                 const struct parsed *parsed, int64_t time) {
    struct block_request request = {
        .time = time,
        .action = "Q",
        .action_length = 1,
        .flags = parsed->action->flags,
        .sector = EVENT_NONE,
        .blocks = EVENT_NONE,
        .pid = EVENT_NONE,
        .file = parsed->file.bytes,
        .file_length = parsed->file.length,
        .value = EVENT_NONE,
    };
    uint32_t number;

    if (!device_names_find(&state->files, parsed->file, &number)) {
        return device_names_full;
    }
    request.device = device_names_device(number);
    if (parsed->action->has_place) {
        request.sector = parsed->offset / SECTOR_SIZE;
        request.blocks = parsed->length / SECTOR_SIZE;
        request.more_bytes = parsed->length % SECTOR_SIZE;
        state->unaligned += parsed->offset % SECTOR_SIZE != 0;
    } else {
        request.blocks = 0;
    }
    block_io_add(import, &state->io, &request);
    return NULL;
}

/* Imports a line after the first one. */
static void fio_iolog_handle_line(struct import *import, struct fio *state, struct file *file,
                                  const struct line *line) {
    struct parsed parsed;
    const char *damage = fio_iolog_parse_line(file->version, line->text, &parsed);

    if (damage == NULL && parsed.action->kind == KIND_WAIT) {
        fio_iolog_wait_for(&file->taken, &parsed);
        import_ignored(import, of_wait, line->offset);
        return;
    }
    if (damage == NULL && parsed.action->kind == KIND_FILE) {
        import_ignored(import, of_file, line->offset);
        return;
    }
    if (damage == NULL) {
        damage =
            fio_iolog_add(import, state, &parsed, file->version == 2 ? file->taken : parsed.time);
    }
    if (damage != NULL) {
        lines_reject(import, line, damage);
    }
}

static void handle_fio(struct import *import, void *state, struct stream *stream,
                       const struct stream_record *record) {
    struct file *file = stream->state;
    struct line line = lines_of_record(record);

    import_variant(import, file->version == 2 ? "version 2" : "version 3");
    if (line.text.bytes == NULL) {
        lines_reject(import, &line, lines_too_long);
    } else if (!file->begun) {
        file->begun = version_in_first_line(line.text) > 0;
        if (!file->begun && word_trim(line.text).length > 0) {
            lines_reject(import, &line, before_log);
        }
    } else if (word_trim(line.text).length > 0) {
        fio_iolog_handle_line(import, state, file, &line);
    }
}

/* --- definition of the importer --------------------------------------------------------------- */

static void begin_fio(struct import *import, void *state) {
    struct fio *fio = state;

    device_names_read(import, &fio->files);
    block_io_begin(import, &fio->io);
}

static void end_fio(struct import *import, void *state, bool failed) {
    struct fio *fio = state;

    if (!failed) {
        device_names_write(import, &fio->files);
        import_remark_count(import, fio->unaligned, block_io_unaligned);
        device_names_add_remark(import, &fio->files, -1);
    }
    block_io_end(import, &fio->io, failed);
    device_names_free(&fio->files);
}

const struct importer fio_iolog_importer = {
    .name = "fio-iolog",
    .description = "what fio replays: its I/O logs of versions 2 and 3",
    .line = "152 f.dat read 12288 4096",
    .made_of = "a line `fio version N iolog`, lines of time, file, action, offset, length",
    .variants = "version 2, version 3",
    .kinds = 1u << TRACE_IO,
    .meanings = {[TRACE_IO] = block_io_meanings},
    .facts = {[TRACE_IO] =
                  FACTS_OF_LOG(FACT(FLUSHES) | FACT(DIRECTIONS) | FACT(FILE_TYPES) | FACT(FILES))},
    .columns =
        EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS | EVENT_ADDRESS | EVENT_SIZE,
    .state_size = sizeof(struct fio),
    .sniff = sniff_fio,
    .resume_text = true,
    .begin = begin_fio,
    .stream_state_size = sizeof(struct file),
    .open_stream = open_fio,
    .next_record = next_fio,
    .record_time = time_of_fio,
    .take_record = handle_fio,
    .end = end_fio,
    .dump = block_io_dump,
};

#include "ftrace_storage.h"

#include <stdio.h>
#include <string.h>

#include "model/partition.h"

enum {
    NAME_BYTES = 96,
    HIBERNATE_ENTER = 0x17,
    HIBERNATE_EXIT = 0x18,
    MOST_MICROSECONDS = 1000000000,
};

/* A line, and the targets of its events. */
struct storage_line {
    struct import *spans, *samples;
    struct ftrace_marks *marks;
    const struct ftrace_line *line;
    int64_t offset, bytes;
};

/* A buffer for the text of a track or a name. */
struct made {
    char text[NAME_BYTES];
};

static struct word ftrace_storage_make(struct made *made, const char *what, struct word of) {
    int length = snprintf(made->text, sizeof made->text, "%s %.*s", what,
                          (int)(of.length < NAME_BYTES ? of.length : NAME_BYTES), of.bytes);

    return (struct word){made->text, (size_t)(length < NAME_BYTES ? length : NAME_BYTES - 1)};
}

static enum ftrace_storage_taken ftrace_storage_keep(const struct storage_line *at,
                                                     const struct ftrace_mark *mark) {
    switch (ftrace_marks_keep(at->spans, at->marks, mark, at->line->time - mark->duration,
                              at->offset, at->bytes)) {
    case GRAPH_STRAY:
        return FTRACE_STORAGE_STRAY;
    case GRAPH_TOO_DEEP:
        return FTRACE_STORAGE_REFUSED;
    default:
        return FTRACE_STORAGE_TAKEN;
    }
}

/* --- F2FS ------------------------------------------------------------------------------------- */

/* Returns `254:44`; length 0 if the line has no device. */
static struct word device_of(const struct ftrace_line *line, struct made *made) {
    int64_t device;
    int length = 0;

    if (ftrace_field_device(line->fields, &device)) {
        length = snprintf(made->text, sizeof made->text, "%d:%d", device_major(device),
                          device_minor(device));
    }
    return (struct word){made->text, (size_t)length};
}

/* Returns the value of a key, up to the comma. */
static struct word ftrace_storage_value_of(const struct ftrace_line *line, const char *key) {
    struct word value = {"", 0};

    ftrace_field(line->fields, key, &value);
    return word_trim(word_field(&value, ','));
}

static enum ftrace_storage_taken take_f2fs(const struct storage_line *at, char letter,
                                           const char *what, struct word name) {
    struct made device, track;
    struct word of = device_of(at->line, &device);
    const struct ftrace_mark mark = {
        .letter = letter,
        .track = ftrace_storage_make(&track, what, of),
        .name = name,
        .kind = "background",
    };

    return of.length == 0 ? FTRACE_STORAGE_DAMAGED : ftrace_storage_keep(at, &mark);
}

static enum ftrace_storage_taken ftrace_storage_take_checkpoint(const struct storage_line *at) {
    struct word state = ftrace_storage_value_of(at->line, "state"),
                why = ftrace_storage_value_of(at->line, "for");
    struct made name;

    if (why.length == 0 || state.length == 0) {
        return FTRACE_STORAGE_DAMAGED;
    }
    if (word_begins(state, "start")) {
        return take_f2fs(at, 'G', "checkpoint", ftrace_storage_make(&name, "checkpoint for", why));
    }
    return word_is(state, "finish checkpoint") ? take_f2fs(at, 'H', "checkpoint", why)
                                               : FTRACE_STORAGE_MERGED;
}

/* Older kernels print `background = 1` in place of the type. */
static enum ftrace_storage_taken take_collection(const struct storage_line *at) {
    int64_t background = 0;
    struct word type = ftrace_storage_value_of(at->line, "gc_type");

    if (!ftrace_field_number(at->line->fields, "background", 0, 1, &background)) {
        return FTRACE_STORAGE_DAMAGED;
    }
    return take_f2fs(at, 'G', "collection",
                     background != 0 || word_begins(type, "Background")
                         ? word_of("collection, background")
                         : word_of("collection, foreground"));
}

static enum ftrace_storage_taken take_collected(const struct storage_line *at) {
    return take_f2fs(at, 'H', "collection", (struct word){"", 0});
}

static enum ftrace_storage_taken take_discard(const struct storage_line *at) {
    return take_f2fs(at, 'N', "discard", word_of("discard"));
}

/* A sum of bytes: `GROUP [KEY=0 (PART=0, …), …]`. */
struct iostat {
    bool reads; /* writes come first; the word `read` precedes the reads */
    struct word group, parent, key;
};

static void ftrace_storage_count_bytes(const struct storage_line *at, struct word device,
                                       const struct iostat *iostat, int64_t value) {
    struct made name;

    snprintf(name.text, sizeof name.text, "f2fs %s%.*s %.*s%s%.*s", iostat->reads ? "read " : "",
             WORD_TEXT(iostat->group), WORD_TEXT(iostat->parent),
             iostat->parent.length > 0 ? " " : "", WORD_TEXT(iostat->key));
    ftrace_marks_count(at->samples, at->marks, device, word_of(name.text), at->line->time, value);
}

static enum ftrace_storage_taken take_iostat(const struct storage_line *at) {
    struct made device;
    struct word of = device_of(at->line, &device), rest = at->line->fields;
    struct iostat iostat = {.group = {"", 0}, .parent = {"", 0}, .key = {"", 0}};
    bool any = false;
    int64_t value;

    word_field(&rest, ')'); /* the device */
    while (rest.length > 0) {
        struct word word = rest;
        char mark;

        for (word.length = 0;
             word.length < rest.length && strchr(" [](),=", rest.bytes[word.length]) == NULL;) {
            word.length++;
        }
        mark = word.length < rest.length ? rest.bytes[word.length] : ' ';
        word_skip(&rest, word.length + (word.length < rest.length));
        iostat.key = word.length > 0 ? word : iostat.key;
        if (mark == '[') {
            iostat.group = iostat.key;
        } else if (mark == '(' || mark == ')') {
            iostat.parent = mark == '(' ? iostat.key : (struct word){"", 0};
        } else if (mark == '=') {
            iostat.reads |= word_is(iostat.key, "read");
            if (!word_next_number(&rest, INT64_MAX, &value)) {
                return FTRACE_STORAGE_DAMAGED;
            }
            ftrace_storage_count_bytes(at, of, &iostat, value);
            any = true;
        }
    }
    return any && of.length > 0 ? FTRACE_STORAGE_TAKEN : FTRACE_STORAGE_DAMAGED;
}

/* --- UFS -------------------------------------------------------------------------------------- */

static enum ftrace_storage_taken ftrace_storage_take_ufs(const struct storage_line *at, char letter,
                                                         struct word track, struct word name,
                                                         int64_t duration) {
    const struct ftrace_mark mark = {
        .letter = letter, .track = track, .name = name, .duration = duration, .kind = "device"};

    return ftrace_storage_keep(at, &mark);
}

/* Cuts off a host's name up to `: `. That of a PCI device has colons, too. */
static struct word cut_host(struct word *rest) {
    const char *end = memmem(rest->bytes, rest->length, ": ", 2);
    struct word host = end == NULL ? *rest : word_between(rest->bytes, end);

    word_skip(rest, end == NULL ? rest->length : host.length + 2);
    return word_trim(host);
}

static enum ftrace_storage_taken take_gating(const struct storage_line *at) {
    static const struct {
        const char *ends, *name;
    } states[] = {{"REQ_OFF", "clocks to be switched off"},
                  {"REQ_CLKS_OFF", "clocks to be switched off"},
                  {"REQ_ON", "clocks to be switched on"},
                  {"REQ_CLKS_ON", "clocks to be switched on"},
                  {"OFF", "clocks off"},
                  {"ON", "clocks on"}};
    struct word rest = at->line->fields, host = cut_host(&rest), state = word_last(&rest);
    struct made track;
    size_t i = 0;

    while (i < sizeof states / sizeof states[0] && !word_ends(state, states[i].ends)) {
        i++;
    }
    if (i == sizeof states / sizeof states[0] || rest.length == 0) {
        return FTRACE_STORAGE_DAMAGED;
    }
    ftrace_storage_make(&track, "clocks", host);
    ftrace_storage_take_ufs(at, 'H', word_of(track.text), state, 0);
    return ftrace_storage_take_ufs(at, 'G', word_of(track.text), word_of(states[i].name), 0);
}

/* Parses `HOST: enter: took 400 usecs, err 0`, or without a step. */
static enum ftrace_storage_taken take_profile(const struct storage_line *at) {
    struct word rest = at->line->fields, host = cut_host(&rest), step, event;
    const char *took = memmem(rest.bytes, rest.length, "took ", 5);
    struct made track, name;
    int64_t taken;

    if (took == NULL) {
        return FTRACE_STORAGE_DAMAGED;
    }
    step = word_trim(word_between(rest.bytes, took));
    step.length -= word_ends(step, ":");
    word_skip(&rest, (size_t)(took - rest.bytes) + 5);
    if (!word_next_number(&rest, MOST_MICROSECONDS, &taken)) {
        return FTRACE_STORAGE_DAMAGED;
    }
    event = at->line->event;
    word_skip(&event, word_begins(event, "ufshcd_profile_") ? sizeof "ufshcd_profile_" - 1
                                                            : sizeof "ufshcd_" - 1);
    ftrace_storage_make(&track, "steps", host);
    snprintf(name.text, sizeof name.text, "%.*s%s%.*s",
             (int)(event.length < NAME_BYTES / 2 ? event.length : NAME_BYTES / 2), event.bytes,
             step.length > 0 ? " " : "",
             (int)(step.length < NAME_BYTES / 4 ? step.length : NAME_BYTES / 4), step.bytes);
    return ftrace_storage_take_ufs(at, 'N', word_of(track.text), word_of(name.text),
                                   taken * (MILLISECOND / 1000));
}

static enum ftrace_storage_taken ftrace_storage_take_link(const struct storage_line *at) {
    struct word rest = at->line->fields, step = word_field(&rest, ':'), host = cut_host(&rest);
    bool ends = memmem(step.bytes, step.length, "comp", 4) != NULL;
    struct made track;
    uint64_t command;

    if (!word_accept(&rest, "cmd:") ||
        !word_hex(word_trim(word_field(&rest, ',')), UINT32_MAX, &command)) {
        return FTRACE_STORAGE_DAMAGED;
    }
    ftrace_storage_make(&track, "link", host);
    if (command == HIBERNATE_ENTER && ends) {
        return ftrace_storage_take_ufs(at, 'G', word_of(track.text), word_of("hibernated"), 0);
    }
    return command == HIBERNATE_EXIT && !ends
               ? ftrace_storage_take_ufs(at, 'H', word_of(track.text), step, 0)
               : FTRACE_STORAGE_MERGED;
}

/* Parses `query_send: HOST: HDR:16 00 …, OSF:03 07 …`: an operation and what it is on. Other steps
 * are of commands, which ufshcd_command tells. */
static enum ftrace_storage_taken take_query(const struct storage_line *at) {
    static const char *const operations[] = {
        "no operation", "read descriptor", "write descriptor", "read attribute", "write attribute",
        "read flag",    "set flag",        "clear flag",       "toggle flag"};
    struct word rest = at->line->fields, step = word_field(&rest, ':'), host = cut_host(&rest);
    const char *fields = memmem(rest.bytes, rest.length, ", ", 2);
    uint64_t operation, number;
    struct made track, name;

    if (!word_begins(step, "query_")) {
        return FTRACE_STORAGE_OTHER;
    }
    ftrace_storage_make(&track, "queries", host);
    if (!word_ends(step, "send")) {
        return ftrace_storage_take_ufs(at, 'H', word_of(track.text), step, 0);
    }
    word_skip(&rest, fields == NULL ? rest.length : (size_t)(fields - rest.bytes) + 2);
    word_field(&rest, ':');
    if (!word_hex(word_next(&rest), UINT8_MAX, &operation) ||
        !word_hex(word_next(&rest), UINT8_MAX, &number)) {
        return FTRACE_STORAGE_DAMAGED;
    }
    if (operation < sizeof operations / sizeof operations[0]) {
        snprintf(name.text, sizeof name.text, "%s 0x%02x", operations[operation], (unsigned)number);
    } else {
        snprintf(name.text, sizeof name.text, "query 0x%02x 0x%02x", (unsigned)operation,
                 (unsigned)number);
    }
    return ftrace_storage_take_ufs(at, 'G', word_of(track.text), word_of(name.text), 0);
}

/* --- lines ------------------------------------------------------------------------------------ */

static const struct storage_event {
    const char *name;
    enum ftrace_storage_taken (*take)(const struct storage_line *at);
} events[] = {
    /* Sorted by name. */
    {"f2fs_gc_begin", take_collection},
    {"f2fs_gc_end", take_collected},
    {"f2fs_iostat", take_iostat},
    {"f2fs_issue_discard", take_discard},
    {"f2fs_write_checkpoint", ftrace_storage_take_checkpoint},
    {"ufshcd_clk_gating", take_gating},
    {"ufshcd_init", take_profile},
    {"ufshcd_profile_clk_gating", take_profile},
    {"ufshcd_profile_clk_scaling", take_profile},
    {"ufshcd_profile_hibern8", take_profile},
    {"ufshcd_runtime_resume", take_profile},
    {"ufshcd_runtime_suspend", take_profile},
    {"ufshcd_system_resume", take_profile},
    {"ufshcd_system_suspend", take_profile},
    {"ufshcd_uic_command", ftrace_storage_take_link},
    {"ufshcd_upiu", take_query},
    {"ufshcd_wl_resume", take_profile},
    {"ufshcd_wl_runtime_resume", take_profile},
    {"ufshcd_wl_runtime_suspend", take_profile},
    {"ufshcd_wl_suspend", take_profile},
};

enum ftrace_storage_taken ftrace_storage_take(struct import *spans, struct import *samples,
                                              struct ftrace_marks *marks,
                                              const struct ftrace_line *line, int64_t offset,
                                              int64_t bytes) {
    const struct storage_event *event =
        ftrace_line_event(line, events, sizeof events / sizeof events[0], sizeof events[0]);
    const struct storage_line at = {spans, samples, marks, line, offset, bytes};

    return event == NULL ? FTRACE_STORAGE_OTHER : event->take(&at);
}

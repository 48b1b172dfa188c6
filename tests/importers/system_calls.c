/* An importer for tests: system calls with all columns that reports read. A line is a call with the
 * words
 *
 *     # calls
 *     time pid tid thread name file offset size result duration error
 *     1000 7 8 sqlite3 pwrite64 /data/a.db 4096 512 512 20 -
 *
 * Times are nanoseconds; `-` stands for an unknown or missing value.
 */
#include <string.h>

#include "import/importer.h"
#include "lines.h"

enum { WORDS = 11 };

static const char bad_line[] = "not eleven words, or a number that is none";

static enum sniff_score sniff_calls(const struct sniff *sniff) {
    return sniff->length >= 8 && memcmp(sniff->bytes, "# calls\n", 8) == 0 ? SNIFF_MAGIC : SNIFF_NO;
}

/* False if the word is not a number. */
static bool number_of(struct word word, int64_t *number) {
    *number = EVENT_NONE;
    return word_is(word, "-") || word_signed(word, INT64_MIN / 2, INT64_MAX / 2, number);
}

static uint32_t name_of(struct import *import, const char *kind, struct word word) {
    struct name_entry entry = {kind, EVENT_NONE, word.bytes, word.length, 0};

    return word_is(word, "-") ? 0 : import_name(import, &entry);
}

static uint32_t object_of(struct import *import, struct word word) {
    struct object_entry entry = {
        .name = word.bytes, .length = word.length, .type = "file", .device = EVENT_NONE};

    return word_is(word, "-") ? 0 : import_object(import, &entry);
}

static void keep_call(struct import *import, const struct word words[WORDS],
                      const int64_t numbers[WORDS]) {
    bool named = !word_is(words[3], "-");
    struct actor_entry thread = {.session = 1,
                                 .pid = numbers[1],
                                 .tid = numbers[2],
                                 .code = EVENT_NONE,
                                 .name = named ? words[3].bytes : NULL,
                                 .length = named ? words[3].length : 0};
    uint32_t operation = name_of(import, "syscall", words[4]);
    uint32_t object = object_of(import, words[5]), error = name_of(import, "error", words[10]);
    uint32_t actor = import_actor(import, &thread);
    struct event *event = import_event(import);

    event->time = numbers[0];
    event->operation = operation;
    event->actor = actor;
    event->object = object;
    event->address = numbers[6];
    event->size = numbers[7];
    event->value = numbers[8];
    event->duration = numbers[9];
    event->error = error;
}

static void read_calls(struct import *import, void *state, struct reader *reader) {
    struct line line;

    (void)state;
    import_variant(import, "text");
    while (lines_next(import, reader, lines_too_long, &line)) {
        struct word rest = line.text, words[WORDS];
        int64_t numbers[WORDS] = {0};
        bool good = true;

        if (line.text.length == 0 || line.text.bytes[0] == '#') {
            continue;
        }
        for (size_t i = 0; i < WORDS; i++) {
            words[i] = word_next(&rest);
            good = good && words[i].length > 0 &&
                   ((i >= 3 && i <= 5) || i == 10 || number_of(words[i], &numbers[i]));
        }
        if (!good || rest.length > 0 || numbers[0] == EVENT_NONE || word_is(words[4], "-")) {
            lines_reject(import, &line, bad_line);
        } else {
            keep_call(import, words, numbers);
        }
    }
}

static const struct event_meaning meanings[] = {
    {EVENT_PLACE_DURATION, "", "call", "clock"}, {EVENT_PLACE_ACTOR, "", "thread", ""},
    {EVENT_PLACE_OBJECT, "", "file", ""},        {EVENT_PLACE_ADDRESS, "", "offset", "bytes"},
    {EVENT_PLACE_SIZE, "", "transfer", "bytes"}, {EVENT_PLACE_VALUE, "", "result", ""},
    {EVENT_PLACE_ERROR, "", "error", ""},        {0},
};

extern const struct importer system_calls_importer;

const struct importer system_calls_importer = {
    .name = "calls",
    .description = "system calls with all that a log of them may say, for tests",
    .variants = "text",
    .kinds = 1u << TRACE_CALLS,
    .meanings = {[TRACE_CALLS] = meanings},
    .facts = {[TRACE_CALLS] = FACTS_ALL},
    .columns = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_ADDRESS |
               EVENT_SIZE | EVENT_VALUE | EVENT_ERROR,
    .sniff = sniff_calls,
    .read = read_calls,
};

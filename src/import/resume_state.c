/* Converts the numbers of `importer.resume` to text and back: "key 1 other -2". It is stored for a
 * later `import --append`. The text of import_save_state() follows the numbers. */
#include "import/reading.h"

#include <inttypes.h>

#include "import/importer.h"
#include "import/metadata.h"
#include "input/word.h"

/* Parses an unsigned 64-bit number; word_number() supports only 63 bits. */
static bool parse_unsigned(struct word word, int64_t *number) {
    struct word last = {word.bytes + word.length - 1, 1};
    uint64_t whole = 0;
    int64_t tens = 0, ones;

    if (word.length == 0 || !word_number(last, 9, &ones) ||
        (word.length > 1 && !word_number((struct word){word.bytes, word.length - 1},
                                         (int64_t)(UINT64_MAX / 10), &tens)) ||
        __builtin_add_overflow((uint64_t)tens * 10, (uint64_t)ones, &whole)) {
        return false;
    }
    *number = (int64_t)whole;
    return true;
}

static int64_t *resume_state_number_of(const struct resume_value *value, void *state) {
    return (int64_t *)(void *)((char *)state + value->place);
}

static bool resume_state_parse(struct word *rest, const struct resume_value *value, void *state) {
    struct word key = word_next(rest), number = word_next(rest);

    return word_is(key, value->key) &&
           (value->is_unsigned ? parse_unsigned(number, resume_state_number_of(value, state))
                               : word_signed(number, value->least, value->most,
                                             resume_state_number_of(value, state)));
}

bool resume_state_read(struct import_run *run, void *state) {
    const struct importer *importer = run->importer;
    struct word rest = word_of(run->resumed == NULL ? "" : run->resumed);

    if (importer->resume_begun != 0) {
        *((bool *)state + importer->resume_begun) = run->resumed != NULL;
    }
    for (const struct resume_value *value = importer->resume;
         run->resumed != NULL && value != NULL && value->key != NULL; value++) {
        if (!resume_state_parse(&rest, value, state)) {
            import_refuse_saved_state(run->traces);
            return false;
        }
    }
    run->resumed_rest = run->resumed == NULL ? NULL : rest.bytes;
    if (rest.length > 0 && !importer->resume_text) {
        import_refuse_saved_state(run->traces);
        return false;
    }
    return true;
}

void resume_state_write(struct import_run *run, void *state) {
    const struct importer *importer = run->importer;
    struct text text = {0};

    if (importer->resume == NULL ||
        (importer->resume_begun != 0 && !*((bool *)state + importer->resume_begun))) {
        return;
    }
    for (const struct resume_value *value = importer->resume; value->key != NULL; value++) {
        text_append_format(&text, "%s%s ", value == importer->resume ? "" : " ", value->key);
        if (value->is_unsigned) {
            text_append_format(&text, "%" PRIu64, (uint64_t)*resume_state_number_of(value, state));
        } else {
            text_append_integer(&text, *resume_state_number_of(value, state));
        }
    }
    text_append_string(&text, run->kept == NULL ? "" : run->kept);
    import_save_state(run->traces, text_string(&text));
    text_free(&text);
}

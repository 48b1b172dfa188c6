#include "store/functions.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "filesystem/file_map.h"
#include "model/event.h"

/* Words and the numbers they stand for. Of classes, block types, origins and evidence, the last is
 * what no other is.
 */
struct word {
    const char *word;
    int number;
};

static const struct word io_classes[] = {
    {"read", IO_READ},   {"readsync", IO_READSYNC},
    {"write", IO_WRITE}, {"writesync", IO_WRITESYNC},
    {"flush", IO_FLUSH}, {"other", IO_OTHER},
    {NULL, 0},
};

static const struct word io_block_types[] = {
    {"data", IO_BLOCK_DATA},         {"journal", IO_BLOCK_JOURNAL},
    {"metadata", IO_BLOCK_METADATA}, {"anonymous", IO_BLOCK_ANONYMOUS},
    {"none", IO_BLOCK_NONE},         {NULL, 0},
};

static const struct word io_origins[] = {
    {"queued", IO_ORIGIN_QUEUED},
    {"issued", IO_ORIGIN_ISSUED},
    {"completed", IO_ORIGIN_COMPLETED},
    {"unknown", IO_ORIGIN_UNKNOWN},
    {NULL, 0},
};

static const struct word io_evidences[] = {
    {"image", IO_EVIDENCE_IMAGE},
    {"journal", IO_EVIDENCE_JOURNAL},
    {"journal-over-image", IO_EVIDENCE_JOURNAL_OVER_IMAGE},
    {"both-images", IO_EVIDENCE_BOTH_IMAGES},
    {"likely-image", IO_EVIDENCE_LIKELY_IMAGE},
    {"likely-journal", IO_EVIDENCE_LIKELY_JOURNAL},
    {"none", IO_EVIDENCE_NONE},
    {"unasked", IO_EVIDENCE_UNASKED},
    {NULL, 0},
};

static const struct word io_flags[] = {
    {"flush", IO_FLAG_FLUSH},
    {"fua", IO_FLAG_FUA},
    {"discard", IO_FLAG_DISCARD},
    {"metadata", IO_FLAG_METADATA},
    {"read-ahead", IO_FLAG_READ_AHEAD},
    {"barrier", IO_FLAG_BARRIER},
    {"fsync", IO_FLAG_FSYNC},
    {"fdatasync", IO_FLAG_FDATASYNC},
    {"sqlite sync", IO_FLAG_SQLITE_SYNC},
    {"unissued", IO_FLAG_UNISSUED},
    {"shared", IO_FLAG_SHARED},
    {"flush write", IO_FLAG_FLUSH_WRITE},
    {"flush sync", IO_FLAG_FLUSH_SYNC},
    {"flush asked", IO_FLAG_FLUSH_ASKED},
    {"below", IO_FLAG_BELOW},
    {NULL, 0},
};

static const struct word span_flags[] = {
    {"data", SPAN_DATA},
    {"stray exit", SPAN_STRAY_EXIT},
    {"open", SPAN_OPEN},
    {"exit missing", SPAN_EXIT_MISSING},
    {"recursive", SPAN_RECURSIVE},
    {"exception", SPAN_EXCEPTION},
    {NULL, 0},
};

/* Which of io_classes, io_block_types, io_origins or io_evidences a value is: NULL is the last,
 * too. */
static void result_word(sqlite3_context *context, const struct word *words, sqlite3_value *value,
                        int64_t number) {
    while (words[1].word != NULL &&
           (words->number != number || sqlite3_value_type(value) == SQLITE_NULL)) {
        words++;
    }
    sqlite3_result_text(context, words->word, -1, SQLITE_STATIC);
}

/* The row of a word; NULL when it is refused. */
static const struct word *find_word(sqlite3_context *context, sqlite3_value *value) {
    const struct word *word = sqlite3_user_data(context);
    const char *text = (const char *)sqlite3_value_text(value);

    for (; word->word != NULL; word++) {
        if (text != NULL && strcmp(word->word, text) == 0) {
            return word;
        }
    }
    sqlite3_result_error(context, "there is no class, block type or flag of this name", -1);
    return NULL;
}

static void number_of_word(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct word *word = find_word(context, values[0]);

    (void)count;
    if (word != NULL) {
        sqlite3_result_int(context, word->number);
    }
}

static void word_of_number(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    result_word(context, sqlite3_user_data(context), values[0], sqlite3_value_int64(values[0]));
}

static void has_flag(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct word *word = find_word(context, values[1]);

    (void)count;
    if (word != NULL && sqlite3_value_type(values[0]) != SQLITE_NULL) {
        sqlite3_result_int(context, (sqlite3_value_int64(values[0]) & word->number) != 0);
    }
}

static void class_of_flags(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    result_word(context, io_classes, values[0],
                io_class_of((uint32_t)sqlite3_value_int64(values[0])));
}

static void block_type_of_flags(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    result_word(context, io_block_types, values[0],
                io_block_type_of((uint32_t)sqlite3_value_int64(values[0])));
}

static void origin_of_flags(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    result_word(context, io_origins, values[0],
                io_origin_of((uint32_t)sqlite3_value_int64(values[0])));
}

static void evidence_of_flags(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    result_word(context, io_evidences, values[0],
                io_evidence_of((uint32_t)sqlite3_value_int64(values[0])));
}

static void block_class_of_flags(sqlite3_context *context, int count, sqlite3_value **values) {
    uint32_t flags = (uint32_t)sqlite3_value_int64(values[0]);

    (void)count;
    sqlite3_result_text(context,
                        block_class_name(flags >> IO_BLOCK_CLASS_SHIFT & IO_BLOCK_CLASS_MASK), -1,
                        SQLITE_STATIC);
}

static void is_call(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    if (sqlite3_value_type(values[0]) != SQLITE_NULL) {
        sqlite3_result_int(context, span_is_call((uint32_t)sqlite3_value_int64(values[0])));
    }
}

static const struct {
    const char *name;
    int parameters;
    void (*function)(sqlite3_context *, int, sqlite3_value **);
    const struct word *words;
} functions[] = {
    {"io_class", 1, class_of_flags, NULL},
    {"io_class_name", 1, word_of_number, io_classes},
    {"io_class_number", 1, number_of_word, io_classes},
    {"io_block_type", 1, block_type_of_flags, NULL},
    {"io_block_type_name", 1, word_of_number, io_block_types},
    {"io_block_type_number", 1, number_of_word, io_block_types},
    {"io_origin", 1, origin_of_flags, NULL},
    {"io_evidence", 1, evidence_of_flags, NULL},
    {"io_block_class", 1, block_class_of_flags, NULL},
    {"io_flag", 1, number_of_word, io_flags},
    {"io_flag", 2, has_flag, io_flags},
    {"span_flag", 1, number_of_word, span_flags},
    {"span_flag", 2, has_flag, span_flags},
    {"span_is_call", 1, is_call, NULL},
};

bool functions_register(sqlite3 *handle) {
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        /* The words are only read. */
        void *words = (void *)(uintptr_t)functions[i].words;

        if (sqlite3_create_function_v2(handle, functions[i].name, functions[i].parameters,
                                       SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, words,
                                       functions[i].function, NULL, NULL, NULL) != SQLITE_OK) {
            return false;
        }
    }
    return true;
}

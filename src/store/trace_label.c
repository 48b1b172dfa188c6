#include "store/trace_label.h"

#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

/* Limits in the error message that several traces match: digits of a hash, number of traces, and
 * bytes of a name, so that a long name leaves room for the others. */
enum { SHOWN_DIGITS = 12, MOST_SHOWN = 10, SHOWN_BYTES = 60 };

/* How well a trace matches what the user typed. A whole hash ranks highest, also above an equal
 * name of another trace. */
enum { RANK_NONE, RANK_ANY, RANK_UNIQUE_NAME, RANK_WHOLE_HASH };

int trace_label_compare(const struct trace_label *left, const struct trace_label *right) {
    int order = left->start < right->start ? -1 : left->start > right->start;

    order = order != 0 ? order : strcmp(left->device, right->device);
    order = order != 0 ? order : strcmp(left->name, right->name);
    return order != 0 ? order : strcmp(left->hash, right->hash);
}

/* Returns whether the user typed DEVICE/NAME of this trace. Both may contain slashes. */
static bool is_device_and_name(const struct trace_label *label, const char *typed) {
    size_t length = strlen(label->device);

    return length > 0 && strncmp(typed, label->device, length) == 0 && typed[length] == '/' &&
           strcmp(typed + length + 1, label->name) == 0;
}

static unsigned trace_label_rank_of(const struct trace_search *search,
                                    const struct trace_label *label) {
    const size_t length = strlen(search->typed);

    if (length > 0 && strcmp(label->hash, search->typed) == 0) {
        return RANK_WHOLE_HASH;
    }
    if (strcmp(label->name, search->typed) == 0) {
        return search->unique_names ? RANK_UNIQUE_NAME : RANK_ANY;
    }
    return is_device_and_name(label, search->typed) ||
                   (search->digits > 0 && length >= search->digits &&
                    strncmp(label->hash, search->typed, length) == 0)
               ? RANK_ANY
               : RANK_NONE;
}

/* Appends a string; truncates it to SHOWN_BYTES, but not inside a UTF-8 character. */
static void trace_label_append_short(struct text *text, const char *string) {
    size_t length = strlen(string);

    if (length <= SHOWN_BYTES) {
        text_append(text, string, length);
        return;
    }
    length = SHOWN_BYTES;
    while (length > SHOWN_BYTES - 4 && ((unsigned char)string[length] & 0xC0) == 0x80) {
        length--;
    }
    text_append(text, string, length);
    text_append_string(text, "…");
}

/* Appends a matching trace to the error message: its name and then its hash if names are unique, as
 * in a database file; else its hash first. */
static void list_trace_labels(struct trace_search *search, const struct trace_label *label) {
    struct text *out = &search->listed;

    text_append_string(out, out->length == 0 ? "" : ", ");
    if (search->unique_names) {
        trace_label_append_short(out, label->name);
        text_append_format(out, " (%.*s)", SHOWN_DIGITS, label->hash);
        return;
    }
    text_append_format(out, "%.*s (", SHOWN_DIGITS, label->hash);
    trace_label_append_short(out, label->device);
    text_append_string(out, label->device[0] == '\0' ? "" : "/");
    trace_label_append_short(out, label->name);
    text_append_char(out, ')');
}

void trace_search_match(struct trace_search *search, const struct trace_label *label,
                        const void *trace) {
    const unsigned rank = trace_label_rank_of(search, label);

    if (rank > search->rank) {
        search->rank = rank;
        search->count = 0;
        search->first = trace;
        text_clear(&search->listed);
    }
    if (rank == RANK_NONE || rank < search->rank) {
        return;
    }
    if (search->count++ < MOST_SHOWN) {
        list_trace_labels(search, label);
    }
}

bool trace_search_end(struct trace_search *search, const void **trace, struct error *error) {
    struct text typed = {0};
    bool done = true;

    trace_label_append_short(&typed, search->typed);
    *trace = search->first;
    if (search->count > 1) {
        done = error_set(error, "'%s' is ambiguous: %zu traces match: %s%s", text_string(&typed),
                         search->count, text_string(&search->listed),
                         search->count > MOST_SHOWN ? ", …" : "");
    }
    text_free(&typed);
    text_free(&search->listed);
    return done;
}

/* --- computing hashes ------------------------------------------------------------------------- */

/* State of computing traces' hashes, and the function that receives them. */
struct hashing {
    struct sha256_ctx context;
    int64_t trace;
    bool begun;
    void (*take)(void *context, int64_t trace, const char *hash);
    void *taker;
};

static void trace_label_add_part(struct hashing *hashing, sqlite3_stmt *row, int column) {
    const char *part = database_column_text(row, column);

    sha256_update(&hashing->context, strlen(part) + 1, (const uint8_t *)part);
}

static void trace_label_end_trace(struct hashing *hashing) {
    char hash[TRACE_HASH_LENGTH + 1];
    uint8_t digest[TRACE_HASH_LENGTH / 2];

    if (!hashing->begun) {
        return;
    }
    sha256_digest(&hashing->context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        snprintf(hash + 2 * i, 3, "%02x", digest[i]);
    }
    hashing->take(hashing->taker, hashing->trace, hash);
}

static bool hash_rows(struct database_query *rows, struct hashing *hashing) {
    while (database_next(rows)) {
        const int64_t trace = sqlite3_column_int64(rows->row, 0);

        if (!hashing->begun || trace != hashing->trace) {
            trace_label_end_trace(hashing);
            sha256_init(&hashing->context);
            hashing->trace = trace;
            hashing->begun = true;
            trace_label_add_part(hashing, rows->row, 1);
            trace_label_add_part(hashing, rows->row, 2);
        }
        if (sqlite3_column_int(rows->row, 4) != 0) {
            trace_label_add_part(hashing, rows->row, 3);
        }
    }
    if (!rows->failed) {
        trace_label_end_trace(hashing);
    }
    return database_end(rows);
}

/* Selects a row for each file of each trace, and one row for a trace without files. */
#define ROWS(schema)                                                                               \
    "SELECT t.id, t.kind, t.format, s.hash, s.id NOT NULL FROM " schema ".trace AS t"              \
    " LEFT JOIN " schema ".source AS s ON s.trace = t.id"

bool trace_hash_each(struct database *database, const char *schema,
                     void (*take)(void *context, int64_t trace, const char *hash), void *context,
                     struct error *error) {
    struct hashing hashing = {.take = take, .taker = context};
    struct text sql = {0};
    struct database_query rows;

    text_append_format(&sql, ROWS("%s") " ORDER BY t.id, s.id", schema, schema);
    rows = database_query_text(database, error, &sql, "");
    return hash_rows(&rows, &hashing);
}

static void copy_hash(void *context, int64_t trace, const char *hash) {
    memcpy(context, hash, TRACE_HASH_LENGTH + 1);
}

bool trace_hash(struct database *database, int64_t trace, char hash[TRACE_HASH_LENGTH + 1],
                struct error *error) {
    struct hashing hashing = {.take = copy_hash, .taker = hash};
    struct database_query rows =
        database_query(database, error, ROWS("main") " WHERE t.id = ?1 ORDER BY s.id", "i", trace);

    hash[0] = '\0';
    return hash_rows(&rows, &hashing);
}

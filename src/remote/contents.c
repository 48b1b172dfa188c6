/* Asks a store for the number of rows, and their checksum, of traces in each table. */
#include "remote/push.h"

#include <inttypes.h>
#include <string.h>

#include "input/word.h"
#include "remote/rowbinary.h"

/* --- number of rows and checksum of each table ------------------------------------------------ */

uint64_t contents_sum(const struct content *contents, bool of_events) {
    uint64_t sum = 0;

    for (size_t i = 1; remote_tables[i].name != NULL; i++) {
        if (remote_tables[i].of_events == of_events) {
            sum += contents[i].sum * (2 * (uint64_t)i + 1);
        }
    }
    return sum;
}

void contents_append_rows(struct text *text, const struct content *contents) {
    for (size_t i = 1; remote_tables[i].name != NULL; i++) {
        if (contents[i].rows > 0) {
            text_append_format(text, "%s%s=%" PRIu64, text->length > 0 ? " " : "",
                               remote_tables[i].name, contents[i].rows);
        }
    }
}

/* Parses a word TABLE=ROWS. Ignores tables that this version does not know. Returns false if the
 * word is malformed, or a table occurs twice. */
static bool parse_rows(struct word word, int64_t rows[REMOTE_MOST_TABLES]) {
    const struct word name = word_field(&word, '=');
    int64_t count;

    if (name.length == 0 || !word_number(word, INT64_MAX, &count) || count == 0) {
        return false;
    }
    for (size_t i = 1; remote_tables[i].name != NULL; i++) {
        if (word_is(name, remote_tables[i].name)) {
            const bool is_first = rows[i] == 0;

            rows[i] = count;
            return is_first;
        }
    }
    return true;
}

bool contents_parse_rows(const char *bytes, size_t length, int64_t rows[REMOTE_MOST_TABLES],
                         bool *known) {
    struct word rest = {bytes, length}, word;

    memset(rows, 0, REMOTE_MOST_TABLES * sizeof *rows);
    *known = false;
    while ((word = word_next(&rest)).length > 0) {
        *known = true;
        if (!parse_rows(word, rows)) {
            return false;
        }
    }
    return true;
}

static struct arrival *contents_find(struct arrival *arrivals, size_t count,
                                     const struct upload_key *pair) {
    for (size_t i = 0; i < count; i++) {
        if (upload_key_compare(&arrivals[i].pair, pair) == 0) {
            return &arrivals[i];
        }
    }
    return NULL;
}

bool contents_query(struct remote *remote, struct arrival *arrivals, size_t count, bool events,
                    struct error *error) {
    struct upload_key pairs[CONTENTS_MOST_ARRIVALS];
    const size_t tables = remote_table_count();
    struct remote_answer answer;
    struct text sql = {0};

    for (size_t i = 0; i < count; i++) {
        pairs[i] = arrivals[i].pair;
        memset(arrivals[i].there, 0, sizeof arrivals[i].there);
    }
    remote_append_check_query(&sql, remote->address.database, pairs, count, events);
    answer = remote_query(remote, &sql, REMOTE_SMALL_ANSWER, error);
    /* Rows of the answer come in any order. For a table in which an attempt has no rows, the answer
     * has no row. */
    while (remote_next(&answer)) {
        uint64_t table = rowbinary_u64(&answer.reader);
        struct upload_key pair = rowbinary_read_upload_key(&answer.reader);
        struct arrival *arrival = contents_find(arrivals, count, &pair);

        answer.reader.failed |= arrival == NULL || table == 0 || table >= tables;
        if (!answer.reader.failed) {
            arrival->there[table].rows = rowbinary_u64(&answer.reader);
            arrival->there[table].sum = rowbinary_u64(&answer.reader);
        }
    }
    for (size_t i = 0; i < count; i++) {
        arrivals[i].right = true;
        for (size_t table = 1; table < tables; table++) {
            const struct content *there = &arrivals[i].there[table];
            const struct content *sent = &arrivals[i].sent[table];

            arrivals[i].right &= there->rows == sent->rows && there->sum == sent->sum;
        }
    }
    return remote_end(&answer);
}

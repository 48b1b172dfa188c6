#include "remote/contents.h"

#include "remote/rowbinary.h"

uint64_t contents_sum(const struct content *contents, bool of_events) {
    uint64_t sum = 0;

    for (size_t i = 1; remote_tables[i].name != NULL; i++) {
        if (remote_tables[i].of_events == of_events) {
            sum += contents[i].sum * (2 * (uint64_t)i + 1);
        }
    }
    return sum;
}

/* Reads a row a table, each once, in any order. */
static bool read_contents(const struct remote *remote, const struct text *answer, bool events,
                          struct content *contents, struct error *error) {
    struct rowbinary_reader reader = rowbinary_reader(answer);
    bool seen[REMOTE_MOST_TABLES] = {false};
    size_t tables = 1;

    while (remote_tables[tables].name != NULL) {
        tables++;
    }
    seen[0] = true;
    while (rowbinary_more(&reader)) {
        uint64_t table = rowbinary_u64(&reader);

        if (table >= tables || seen[table]) {
            return remote_misanswered(remote, error);
        }
        seen[table] = true;
        contents[table].rows = rowbinary_u64(&reader);
        contents[table].sum = rowbinary_u64(&reader);
    }
    for (size_t i = 0; i < tables; i++) {
        if (!seen[i] && (events || !remote_tables[i].of_events)) {
            return remote_misanswered(remote, error);
        }
    }
    return !reader.failed || remote_misanswered(remote, error);
}

bool contents_arrived(struct remote *remote, const struct remote_pair *pair, bool events,
                      const struct content *sent, bool *right, struct error *error) {
    struct content there[REMOTE_MOST_TABLES] = {{0}};
    struct text sql = {0}, answer = {0};
    bool done;

    remote_append_verify(&sql, remote->address.database, pair, events);
    done = (!sql.failed || error_no_memory(error)) &&
           remote_ask(remote, text_string(&sql), REMOTE_SMALL_ANSWER, &answer, error) &&
           read_contents(remote, &answer, events, there, error);
    *right = done;
    for (size_t i = 1; *right && remote_tables[i].name != NULL; i++) {
        *right = there[i].rows == sent[i].rows && there[i].sum == sent[i].sum;
    }
    text_free(&sql);
    text_free(&answer);
    return done;
}

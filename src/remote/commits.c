#include "remote/commits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/memory.h"
#include "base/search.h"
#include "model/event.h"
#include "remote/rowbinary.h"

/* --- hash of a trace, and number of an attempt to send it ------------------------------------- */

enum { RANDOM_BITS = 31, SECOND_BITS = 32 };

#define WITHOUT_EVENTS ((uint64_t)1 << (RANDOM_BITS + SECOND_BITS))

bool remote_identify(struct database *database, const struct catalog_trace *trace,
                     struct remote_identity *identity, struct error *error) {
    char half[TRACE_HASH_LENGTH / 2 + 1] = "";

    if (!trace_hash(database, trace->id, identity->hash, error)) {
        return false;
    }
    memcpy(half, identity->hash, sizeof half - 1);
    identity->key = strtoull(half, NULL, 16);
    return true;
}

bool remote_attempt_make(uint64_t *attempt, bool events, struct error *error) {
    uint64_t random, second = (uint64_t)time(NULL);

    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random) {
        return error_set(error, "the system gives no random numbers");
    }
    *attempt = (events ? 0 : WITHOUT_EVENTS) |
               (second & (((uint64_t)1 << SECOND_BITS) - 1)) << RANDOM_BITS |
               (random & (((uint64_t)1 << RANDOM_BITS) - 1));
    return true;
}

int64_t remote_attempt_second(uint64_t attempt) {
    return (int64_t)((attempt & ~WITHOUT_EVENTS) >> RANDOM_BITS);
}

/* Columns of the store's table `trace` in the order in which commits_read_row() reads them. */
static const char asked[] = ", `name`, `hash`, `device`, `content`, `event_content`, `events`,"
                            " `first_event`, `last_event`, `sent_events`, `store_version`, `start`";

/* --- reading the rows of table trace ---------------------------------------------------------- */

static char *copy_text(struct rowbinary_reader *reader) {
    size_t length;
    const char *bytes = rowbinary_text(reader, &length);

    return xstrndup(bytes, length);
}

static int64_t read_optional(struct rowbinary_reader *reader, int64_t otherwise) {
    return rowbinary_read_null(reader) ? otherwise : rowbinary_i64(reader);
}

static void commits_free_row(struct remote_commit *row) {
    free(row->name);
    free(row->hash);
    free(row->device);
}

/* Reads a row of table `trace`; returns the store version with which the row was written. */
static int64_t commits_read_row(struct rowbinary_reader *reader, struct remote_commit *row) {
    int64_t version;

    *row = (struct remote_commit){0};
    row->pair = rowbinary_read_upload_key(reader);
    row->name = copy_text(reader);
    row->hash = copy_text(reader);
    row->device = rowbinary_read_null(reader) ? xstrdup("") : copy_text(reader);
    row->content = rowbinary_u64(reader);
    row->event_content = rowbinary_u64(reader);
    row->events = rowbinary_i64(reader);
    row->first_event = read_optional(reader, 1);
    row->last_event = read_optional(reader, 0);
    row->sent_events = rowbinary_i64(reader) != 0;
    version = rowbinary_i64(reader);
    row->start = read_optional(reader, EVENT_NONE);
    return version;
}

static bool commits_read_rows(struct remote_commits *commits, struct remote_answer *answer) {
    const struct remote *remote = answer->remote;
    size_t room = 0;

    while (remote_next(answer)) {
        struct remote_commit row;
        int64_t version = commits_read_row(&answer->reader, &row);

        if (!answer->reader.failed && version != REMOTE_STORE_VERSION) {
            answer->failed = true;
            error_set(answer->error, "%s: it is of store version %lld, and this tracetool's is %d",
                      remote->address.shown, (long long)version, REMOTE_STORE_VERSION);
        }
        if (answer->failed || answer->reader.failed) {
            commits_free_row(&row);
        } else {
            commits->rows = array_grow(commits->rows, commits->count, &room, sizeof row);
            commits->rows[commits->count++] = row;
        }
    }
    return remote_end(answer);
}

/* --- choosing the attempt that counts, for each trace ----------------------------------------- */

static int commits_by_pair(const void *left, const void *right) {
    return upload_key_compare(&((const struct remote_commit *)left)->pair,
                              &((const struct remote_commit *)right)->pair);
}

/* Sorts the rows by trace and attempt. Removes duplicates, which occur if the answer to an insert
 * was lost and the insert was repeated. */
static void commits_sort(struct remote_commits *commits) {
    size_t kept = 0;

    if (commits->count == 0) {
        return;
    }
    qsort(commits->rows, commits->count, sizeof *commits->rows, commits_by_pair);
    for (size_t i = 0; i < commits->count; i++) {
        if (kept > 0 && commits_by_pair(&commits->rows[kept - 1], &commits->rows[i]) == 0) {
            commits_free_row(&commits->rows[i]);
        } else {
            commits->rows[kept++] = commits->rows[i];
        }
    }
    commits->count = kept;
}

struct remote_commit *remote_commits_find(const struct remote_commits *commits,
                                          const struct upload_key *pair) {
    struct remote_commit sought = {.pair = *pair};

    return commits->count == 0 ? NULL
                               : bsearch(&sought, commits->rows, commits->count,
                                         sizeof *commits->rows, commits_by_pair);
}

static bool read_removed(struct remote_commits *commits, struct remote_answer *answer) {
    while (remote_next(answer)) {
        struct upload_key pair = rowbinary_read_upload_key(&answer->reader);
        struct remote_commit *row = remote_commits_find(commits, &pair);

        if (row != NULL) {
            row->removed = true;
        }
    }
    return remote_end(answer);
}

static void choose_valid_commits(struct remote_commits *commits) {
    const struct remote_commit *last = NULL;

    for (size_t i = 0; i < commits->count; i++) {
        struct remote_commit *row = &commits->rows[i];

        row->counts = !row->removed && (last == NULL || last->pair.trace != row->pair.trace);
        if (row->counts) {
            last = row;
        }
    }
}

/* Queries trace, attempt and `columns` of all rows of a table; `only`: trace, or NULL for all. */
static struct remote_answer remote_commits_query_rows(struct remote *remote, const char *table,
                                                      const char *columns, const uint64_t *only,
                                                      struct error *error) {
    struct text sql = {0};

    text_append_format(&sql, "SELECT trace, attempt%s FROM %s.`%s`", columns,
                       remote->address.database, table);
    if (only != NULL) {
        text_append_format(&sql, " WHERE trace = %" PRIu64, *only);
    }
    text_append_string(&sql, " FORMAT RowBinary");
    return remote_query(remote, &sql, REMOTE_LARGE_ANSWER, error);
}

bool remote_commits_load(struct remote_commits *commits, struct remote *remote,
                         const uint64_t *only, struct error *error) {
    struct remote_answer answer = remote_commits_query_rows(remote, "trace", asked, only, error);
    bool done;

    *commits = (struct remote_commits){0};
    done = commits_read_rows(commits, &answer);
    commits_sort(commits);
    if (done) {
        answer = remote_commits_query_rows(remote, "removed", "", only, error);
        done = read_removed(commits, &answer);
    }
    choose_valid_commits(commits);
    if (!done) {
        remote_commits_free(commits);
    }
    return done;
}

void remote_commits_free(struct remote_commits *commits) {
    for (size_t i = 0; i < commits->count; i++) {
        commits_free_row(&commits->rows[i]);
    }
    free(commits->rows);
    *commits = (struct remote_commits){0};
}

/* --- finding the traces that the user means --------------------------------------------------- */

const struct remote_commit *remote_commits_find_valid(const struct remote_commits *commits,
                                                      uint64_t trace) {
    size_t at = 0, to = commits->count;

    SEARCH(at, to, middle, commits->rows[middle].pair.trace < trace);
    for (; at < commits->count && commits->rows[at].pair.trace == trace; at++) {
        if (commits->rows[at].counts) {
            return &commits->rows[at];
        }
    }
    return NULL;
}

struct trace_label remote_commit_label(const struct remote_commit *commit) {
    return (struct trace_label){commit->name, commit->device, commit->hash, commit->start};
}

const struct remote_commit *remote_commits_choose(const struct remote_commits *commits,
                                                  const char *typed, struct error *error) {
    struct trace_search search = {.typed = typed, .digits = TRACE_LABEL_DIGITS};
    const void *chosen;

    for (size_t i = 0; i < commits->count; i++) {
        const struct trace_label label = remote_commit_label(&commits->rows[i]);

        if (commits->rows[i].counts) {
            trace_search_match(&search, &label, &commits->rows[i]);
        }
    }
    if (!trace_search_end(&search, &chosen, error)) {
        return NULL;
    }
    if (chosen == NULL) {
        error_set(error, "the store has no trace '%s'", typed);
    }
    return chosen;
}

#include "remote/maintenance.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "remote/push.h"
#include "remote/rowbinary.h"
#include "remote/statements.h"

/* --- clusters of ClickHouse servers ----------------------------------------------------------- */

/* Cluster as described by the server. */
struct found_cluster {
    const char *name;
    bool known;
    uint64_t replicas;  /* largest number of servers with copies of a shard */
    struct text names;  /* names of all clusters known to the server */
    struct text others; /* other servers of this cluster, without the one that answers */
};

static void append_listed(struct text *list, struct rowbinary_slice item) {
    text_append_string(list, list->length == 0 ? "" : ", ");
    text_append_escaped(list, item.bytes, item.length);
}

/* Reads a row of the answer: one server of a cluster. `last`: cluster of the previous row. */
static void read_cluster(struct rowbinary_reader *reader, struct rowbinary_slice *last,
                         struct found_cluster *found) {
    struct rowbinary_slice name = rowbinary_slice(reader), host = rowbinary_slice(reader);
    uint64_t port = rowbinary_u64(reader), replica = rowbinary_u64(reader);
    bool here = rowbinary_u64(reader) != 0;

    if (reader->failed) {
        return;
    }
    if (last->bytes == NULL || last->length != name.length ||
        memcmp(last->bytes, name.bytes, name.length) != 0) {
        append_listed(&found->names, name);
    }
    *last = name;
    if (!rowbinary_slice_is(name, found->name)) {
        return;
    }
    found->known = true;
    found->replicas = replica > found->replicas ? replica : found->replicas;
    if (!here) {
        append_listed(&found->others, host);
        text_append_format(&found->others, ":%" PRIu64, port);
    }
}

static bool check_cluster(const struct remote *remote, const struct found_cluster *found,
                          struct error *error) {
    if (!found->known) {
        return error_set(error, "%s: the server knows no cluster '%s'; there %s%s",
                         remote->address.shown, found->name,
                         found->names.length == 0
                             ? "is none: define one in <remote_servers> of its configuration"
                             : "are: ",
                         text_string(&found->names));
    }
    if (found->replicas > 1) {
        return error_set(error,
                         "%s: shards of cluster '%s' have %" PRIu64
                         " servers, but a store is not replicated, so answers of one server would "
                         "be wrong; use a cluster with one server per shard",
                         remote->address.shown, found->name, found->replicas);
    }
    return true;
}

/* Checks that the server knows the cluster, and that each shard has only one server. If not, the
 * error lists the known clusters, or says that several servers per shard (copies of rows) are
 * refused. `others`: receives the cluster's other servers, "HOST:PORT, HOST:PORT"; may be NULL. */
static bool cluster_check(struct remote *remote, const char *cluster, struct text *others,
                          struct error *error) {
    struct found_cluster found = {.name = cluster};
    struct rowbinary_slice last = {0};
    struct remote_answer answer;
    struct text sql = {0};
    bool done;

    text_append_string(&sql, "SELECT cluster, host_name, toUInt64(port), toUInt64(replica_num), "
                             "toUInt64(is_local) FROM system.clusters "
                             "ORDER BY cluster, shard_num, replica_num FORMAT RowBinary");
    answer = remote_query(remote, &sql, REMOTE_SMALL_ANSWER, error);
    while (remote_next(&answer)) {
        read_cluster(&answer.reader, &last, &found);
    }
    done = !answer.failed && !answer.reader.failed && check_cluster(remote, &found, error);
    if (done && others != NULL) {
        text_append(others, text_string(&found.others), found.others.length);
    }
    text_free(&found.names);
    text_free(&found.others);
    return remote_end(&answer) && done;
}

/* --- existing tables: their cluster ----------------------------------------------------------- */

/* Which tables exist in the database on the server. */
struct found_tables {
    bool trace, local; /* trace: the table `trace` exists; local: the table `trace_local` exists */
    struct text cluster; /* owned; cluster of the table `trace`; empty: none */
};

/* Returns the cluster's name in a table's engine: "Distributed(fleet, …", or with newer servers
 * "Distributed('fleet', …". */
static struct rowbinary_slice cluster_of_tables(struct rowbinary_slice engine) {
    static const char begin[] = "Distributed(";
    size_t length = sizeof begin - 1;
    struct rowbinary_slice cluster = {0};

    if (engine.length <= length || memcmp(engine.bytes, begin, length) != 0) {
        return cluster;
    }
    length += engine.bytes[length] == '\'';
    cluster.bytes = engine.bytes + length;
    while (length + cluster.length < engine.length &&
           strchr("',)", cluster.bytes[cluster.length]) == NULL) {
        cluster.length++;
    }
    return cluster;
}

/* Queries the store's tables. The caller frees `found`, also on failure. */
static bool find_store(struct remote *remote, struct found_tables *found, struct error *error) {
    struct text sql = {0};
    struct remote_answer answer;

    *found = (struct found_tables){0};
    text_append_string(&sql, "SELECT name, engine_full FROM system.tables WHERE database = ");
    remote_append_text(&sql, remote->address.database);
    text_append_string(&sql, " AND (name = ");
    remote_append_text(&sql, "trace");
    text_append_string(&sql, " OR name = ");
    remote_append_text(&sql, "trace_local");
    text_append_string(&sql, ") FORMAT RowBinary");
    answer = remote_query(remote, &sql, REMOTE_SMALL_ANSWER, error);
    while (remote_next(&answer)) {
        bool is_trace = rowbinary_slice_is(rowbinary_slice(&answer.reader), "trace");
        struct rowbinary_slice cluster = cluster_of_tables(rowbinary_slice(&answer.reader));

        found->trace |= is_trace;
        found->local |= !is_trace;
        if (is_trace && cluster.length > 0) {
            text_append(&found->cluster, cluster.bytes, cluster.length);
        }
    }
    return remote_end(&answer);
}

/* Sets an error: the tables are of another cluster. Escapes its name, which the server sent. */
static bool refuse_other_cluster(const struct remote *remote, const struct text *cluster,
                                 struct error *error) {
    struct text name = {0};

    text_append_escaped(&name, text_string(cluster), cluster->length);
    error_set(error, "%s: its tables are of cluster '%s': --cluster %s, or name another database",
              remote->address.shown, text_string(&name), text_string(&name));
    text_free(&name);
    return false;
}

/* Checks that the store's existing tables belong to `cluster` (NULL: to no cluster). A table's
 * cluster cannot change, and each row is on one server only (no replicas). */
static bool cluster_check_tables(struct remote *remote, const char *cluster, struct error *error) {
    struct found_tables found;
    bool done = find_store(remote, &found, error);

    if (done && found.cluster.length > 0) {
        done = (cluster != NULL && strlen(cluster) == found.cluster.length &&
                memcmp(cluster, found.cluster.bytes, found.cluster.length) == 0) ||
               refuse_other_cluster(remote, &found.cluster, error);
    } else if (done && found.trace && cluster != NULL) {
        done =
            error_set(error,
                      "%s: its tables belong to no cluster, which cannot change: omit --cluster, "
                      "or name another database",
                      remote->address.shown);
    } else if (done && !found.trace && found.local && cluster == NULL) {
        done =
            error_set(error,
                      "%s: its tables were created for a cluster: give --cluster, or name another "
                      "database",
                      remote->address.shown);
    }
    text_free(&found.cluster);
    return done;
}

/* If the store is on a cluster, runs cluster_check() on it. */
static bool cluster_check_store(struct remote *remote, struct error *error) {
    struct found_tables found;
    bool done = find_store(remote, &found, error);

    if (done && found.cluster.length > 0) {
        const char *name = text_string(&found.cluster);

        done = (remote_is_name(name) || remote_set_answer_error(remote, error)) &&
               cluster_check(remote, name, NULL, error);
    }
    text_free(&found.cluster);
    return done;
}

/* Least server version for compression codecs: some servers of version 19 lack them. */
enum { VERSION_OF_CODECS = 20 };

/* --- printing the SQL statements -------------------------------------------------------------- */

static bool print_statement(void *context, const char *sql, struct error *error) {
    fprintf(context, "%s;\n", sql);
    return true;
}

bool maintenance_print(const struct remote_address *address, const char *cluster, FILE *output,
                       struct error *error) {
    const struct remote_layout layout = {address->database, cluster, false};

    return remote_visit_definitions(&layout, print_statement, output, error);
}

/* --- existing tables: their columns ----------------------------------------------------------- */

/* A column of a table on the server; texts point into the answer. */
struct found_column {
    struct rowbinary_slice table, name, type;
};

struct found_columns {
    struct remote_answer answer; /* owned */
    struct found_column *rows;   /* owned */
    size_t count;
};

static bool has_table(const struct found_columns *columns, const char *table) {
    for (size_t i = 0; i < columns->count; i++) {
        if (rowbinary_slice_is(columns->rows[i].table, table)) {
            return true;
        }
    }
    return false;
}

/* Returns a column of a table; NULL if it does not exist. */
static const struct found_column *maintenance_find_column(const struct found_columns *columns,
                                                          const char *table, const char *name) {
    for (size_t i = 0; i < columns->count; i++) {
        const struct found_column *row = &columns->rows[i];

        if (rowbinary_slice_is(row->table, table) && rowbinary_slice_is(row->name, name)) {
            return row;
        }
    }
    return NULL;
}

static bool check_column(const struct found_columns *columns, const char *table, const char *name,
                         enum remote_type type, struct error *error) {
    const struct found_column *found = maintenance_find_column(columns, table, name);

    if (found == NULL) {
        return error_set(error, "%s: there is no %s.%s; make it with tracetool store init",
                         columns->answer.remote->address.shown, table, name);
    }
    return rowbinary_slice_is(found->type, remote_type_name(type)) ||
           error_set(
               error,
               "%s: %s.%s is of type %.*s, not %s: it is not a store of this version of tracetool",
               columns->answer.remote->address.shown, table, name,
               (int)(found->type.length < 80 ? found->type.length : 80), found->type.bytes,
               remote_type_name(type));
}

static bool check_table(const struct found_columns *columns, const char *name,
                        const struct remote_table *table, struct error *error) {
    if (!has_table(columns, name)) {
        return error_set(error, "%s: there is no table %s; tracetool store init makes a store",
                         columns->answer.remote->address.shown, name);
    }
    if (!check_column(columns, name, "trace", REMOTE_KEY, error) ||
        !check_column(columns, name, "attempt", REMOTE_KEY, error)) {
        return false;
    }
    for (const struct remote_column *column = table->columns; column->name != NULL; column++) {
        if (!check_column(columns, name, column->name, column->type, error)) {
            return false;
        }
    }
    return true;
}

/* Checks the table with this server's rows, and in a cluster the table for all servers' rows. */
static bool check_both(const struct found_columns *columns, const struct remote_table *table,
                       bool in_cluster, struct error *error) {
    char local[REMOTE_MOST_LOCAL];

    remote_local_name(local, table, in_cluster);
    return check_table(columns, table->name, table, error) &&
           (!in_cluster || check_table(columns, local, table, error));
}

static bool maintenance_check_tables(const struct found_columns *columns, bool in_cluster,
                                     struct error *error) {
    for (const struct remote_table *table = remote_tables; table->name != NULL; table++) {
        if (!check_both(columns, table, in_cluster, error)) {
            return false;
        }
    }
    return check_both(columns, &remote_removed, in_cluster, error);
}

/* Queries the columns of all tables on the server. On failure, nothing needs to be freed. */
static bool load_columns(struct remote *remote, struct found_columns *columns,
                         struct error *error) {
    struct rowbinary_reader *reader = &columns->answer.reader;
    struct text sql = {0};
    size_t room = 0;

    remote_append_columns(&sql, remote->address.database);
    *columns =
        (struct found_columns){.answer = remote_query(remote, &sql, REMOTE_SMALL_ANSWER, error)};
    while (remote_next(&columns->answer)) {
        struct found_column column;

        column.table = rowbinary_slice(reader);
        column.name = rowbinary_slice(reader);
        column.type = rowbinary_slice(reader);
        columns->rows = array_grow(columns->rows, columns->count, &room, sizeof column);
        columns->rows[columns->count] = column;
        columns->count += !reader->failed;
    }
    if (columns->answer.failed) {
        remote_end(&columns->answer);
        return false;
    }
    columns->answer.reader.failed = false; /* a column that cannot be read counts as missing */
    return true;
}

static void free_columns(struct found_columns *columns) {
    free(columns->rows);
    remote_end(&columns->answer);
}

bool maintenance_find_tables(struct remote *remote, bool *in_cluster, struct error *error) {
    struct found_columns columns;
    bool done;

    if (!load_columns(remote, &columns, error)) {
        return false;
    }
    *in_cluster = has_table(&columns, "trace_local");
    done = maintenance_check_tables(&columns, *in_cluster, error);
    free_columns(&columns);
    return done;
}

/* --- creating tables -------------------------------------------------------------------------- */

static bool maintenance_run_statement(void *context, const char *sql, struct error *error) {
    return remote_run(context, sql, error);
}

/* Adds columns that a table of an earlier store version lacks. */
static bool maintenance_add_columns(struct remote *remote, const struct found_columns *columns,
                                    const char *name, const struct remote_table *table, bool codecs,
                                    struct error *error) {
    struct text sql = {0};
    bool done = true;

    for (const struct remote_column *column = table->columns; done && column->name != NULL;
         column++) {
        if (maintenance_find_column(columns, name, column->name) == NULL) {
            text_clear(&sql);
            text_append_format(&sql, "ALTER TABLE %s.`%s` ADD COLUMN ", remote->address.database,
                               name);
            remote_append_column(&sql, column, codecs);
            done = remote_run(remote, text_string(&sql), error);
        }
    }
    text_free(&sql);
    return done;
}

/* Adds missing columns to the table with this server's rows, then to that for all servers' rows. */
static bool add_to_both(struct remote *remote, const struct found_columns *columns,
                        const struct remote_table *table, const struct remote_layout *layout,
                        struct error *error) {
    const bool in_cluster = layout->cluster != NULL;
    char local[REMOTE_MOST_LOCAL];

    remote_local_name(local, table, in_cluster);
    return maintenance_add_columns(remote, columns, local, table, layout->codecs, error) &&
           (!in_cluster ||
            maintenance_add_columns(remote, columns, table->name, table, false, error));
}

static bool add_missing(struct remote *remote, const struct remote_layout *layout,
                        struct error *error) {
    struct found_columns columns;
    bool done = true;

    if (!load_columns(remote, &columns, error)) {
        return false;
    }
    for (const struct remote_table *table = remote_tables; done && table->name != NULL; table++) {
        done = add_to_both(remote, &columns, table, layout, error);
    }
    done = done && add_to_both(remote, &columns, &remote_removed, layout, error);
    free_columns(&columns);
    return done;
}

bool maintenance_init(struct remote *remote, const char *cluster, struct text *others,
                      struct error *error) {
    const struct remote_layout layout = {
        .database = remote->address.database,
        .cluster = cluster,
        .codecs = remote->version >= VERSION_OF_CODECS,
    };

    return (cluster == NULL || cluster_check(remote, cluster, others, error)) &&
           cluster_check_tables(remote, cluster, error) &&
           remote_visit_definitions(&layout, maintenance_run_statement, remote, error) &&
           add_missing(remote, &layout, error);
}

/* --- checking the rows of a store ------------------------------------------------------------- */

/* Checksums of the rows that the servers have of a committed attempt (upload). The array has an
 * element per commit, in their order. */
struct there {
    uint64_t content, event_content;
};

struct checking {
    struct remote *remote;
    const struct remote_commits *commits;
    struct there *there; /* owned */
    struct maintenance_report *report;
};

/* Adds a row count from a server to a total. A count that is too large is an error. */
static bool add_count(const struct remote *remote, int64_t *total, uint64_t count,
                      struct error *error) {
    return (count <= INT64_MAX && !__builtin_add_overflow(*total, (int64_t)count, total)) ||
           remote_set_answer_error(remote, error);
}

/* Adds a table's checksum to the sums of an attempt (upload). Rows of invalid attempts, which
 * reports never read, are counted as unseen. */
static void add_sum(struct checking *checking, size_t table, const struct upload_key *pair,
                    const struct content *content) {
    const struct remote_commit *commit = remote_commits_find(checking->commits, pair);

    if (commit == NULL || !commit->counts) {
        checking->report->unseen += (int64_t)content->rows;
    } else {
        struct content all[REMOTE_MOST_TABLES] = {{0}};
        struct there *there = &checking->there[commit - checking->commits->rows];

        all[table] = *content;
        there->content += contents_sum(all, false);
        there->event_content += contents_sum(all, true);
    }
}

static bool add_sums(struct checking *checking, size_t table, struct error *error) {
    struct remote *remote = checking->remote;
    struct text sql = {0};
    struct remote_answer answer;

    remote_append_sums(&sql, remote->address.database, remote_tables[table].name,
                       &remote_tables[table]);
    answer = remote_query(remote, &sql, REMOTE_LARGE_ANSWER, error);
    while (remote_next(&answer)) {
        struct upload_key pair = rowbinary_read_upload_key(&answer.reader);
        struct content content;

        content.rows = rowbinary_u64(&answer.reader);
        content.sum = rowbinary_u64(&answer.reader);
        answer.failed = !answer.reader.failed &&
                        !add_count(remote, &checking->report->rows, content.rows, error);
        if (!answer.reader.failed && !answer.failed) {
            add_sum(checking, table, &pair, &content);
        }
    }
    return remote_end(&answer);
}

static bool check_one_store(const struct checking *checking, struct error *error) {
    struct maintenance_report *report = checking->report;

    for (size_t i = 0; i < checking->commits->count; i++) {
        const struct remote_commit *commit = &checking->commits->rows[i];
        const struct there *there = &checking->there[i];

        if (!commit->counts) {
            report->unseen++;
            continue;
        }
        report->traces++;
        if (!add_count(checking->remote, &report->events, (uint64_t)commit->events, error)) {
            return false;
        }
        report->with_events += commit->sent_events;
        if (there->content != commit->content) {
            report->wrong++;
            report->found(report->context, commit,
                          "its names or rollups differ from what was sent");
        }
        if (there->event_content != commit->event_content) {
            report->wrong++;
            report->found(report->context, commit, "its events differ from what was sent");
        }
    }
    return true;
}

bool maintenance_check(struct remote *remote, struct maintenance_report *report,
                       struct error *error) {
    struct remote_commits commits;
    struct checking checking = {.remote = remote, .commits = &commits, .report = report};
    bool done;

    if (!cluster_check_store(remote, error) ||
        !remote_commits_load(&commits, remote, NULL, error)) {
        return false;
    }
    checking.there = xcalloc(commits.count + 1, sizeof *checking.there);
    done = true;
    report->rows = (int64_t)commits.count;
    for (size_t i = 1; done && remote_tables[i].name != NULL; i++) {
        done = add_sums(&checking, i, error);
    }
    done = done && check_one_store(&checking, error);
    free(checking.there);
    remote_commits_free(&commits);
    return done;
}

/* --- removing a trace from a store ------------------------------------------------------------ */

bool maintenance_remove(struct remote *remote, const struct remote_commits *commits, uint64_t trace,
                        struct error *error) {
    struct text rows = {0};
    bool done;

    for (size_t i = 0; i < commits->count; i++) {
        const struct remote_commit *commit = &commits->rows[i];

        if (commit->pair.trace == trace && !commit->removed) {
            rowbinary_append_u64(&rows, commit->pair.trace);
            rowbinary_append_u64(&rows, commit->pair.attempt);
            rowbinary_append_u64(&rows, (uint64_t)time(NULL));
        }
    }
    done = remote_insert(remote, &remote_removed, &rows, error);
    text_free(&rows);
    return done;
}

/* --- sweeping: deleting rows that nobody can see ---------------------------------------------- */

struct sweep {
    struct remote *remote;
    const struct remote_commits *commits;
    int64_t before;    /* deletes uploads that began before this time (s since 1970) */
    int64_t *rows;     /* number of deleted rows in all tables */
    struct text pairs; /* struct upload_key array: uploads to delete from a table */
};

static bool attempt_is_old(const struct sweep *sweep, const struct upload_key *pair) {
    return remote_attempt_second(pair->attempt) <= sweep->before;
}

/* Returns whether the rows of an attempt (upload) may be deleted. A replaced attempt stays until
 * its replacement is old, too, since a report may still be reading it. */
static bool is_to_go(const struct sweep *sweep, const struct upload_key *pair) {
    const struct remote_commit *commit = remote_commits_find(sweep->commits, pair);
    const struct remote_commit *seen = remote_commits_find_valid(sweep->commits, pair->trace);

    return attempt_is_old(sweep, pair) &&
           (commit == NULL || commit->removed ||
            (!commit->counts && seen != NULL && attempt_is_old(sweep, &seen->pair)));
}

static bool find_stale(struct sweep *sweep, const char *table, struct error *error) {
    struct text sql = {0};
    struct remote_answer answer;

    text_clear(&sweep->pairs);
    text_append_format(&sql,
                       "SELECT trace, attempt, toUInt64(count()) FROM %s.`%s`"
                       " GROUP BY trace, attempt FORMAT RowBinary",
                       sweep->remote->address.database, table);
    answer = remote_query(sweep->remote, &sql, REMOTE_LARGE_ANSWER, error);
    while (remote_next(&answer)) {
        struct upload_key pair = rowbinary_read_upload_key(&answer.reader);
        uint64_t count = rowbinary_u64(&answer.reader);

        if (!answer.reader.failed && is_to_go(sweep, &pair)) {
            text_append(&sweep->pairs, (const char *)&pair, sizeof pair);
            answer.failed = !add_count(sweep->remote, sweep->rows, count, error);
        }
    }
    return remote_end(&answer);
}

static bool delete_stale(struct sweep *sweep, const char *table, int64_t *attempts,
                         struct error *error) {
    size_t count = sweep->pairs.length / sizeof(struct upload_key);
    struct text sql = {0};
    bool done = true;

    for (size_t i = 0; done && i < count; i += REMOTE_MOST_CHOSEN) {
        struct upload_key pairs[REMOTE_MOST_CHOSEN];
        size_t some = count - i < REMOTE_MOST_CHOSEN ? count - i : REMOTE_MOST_CHOSEN;

        memcpy(pairs, sweep->pairs.bytes + i * sizeof *pairs, some * sizeof *pairs);
        text_clear(&sql);
        text_append_format(&sql, "ALTER TABLE %s.`%s` DELETE WHERE ",
                           sweep->remote->address.database, table);
        remote_append_keys_condition(&sql, pairs, some);
        done = remote_run(sweep->remote, text_string(&sql), error);
    }
    text_free(&sql);
    *attempts = (int64_t)count > *attempts ? (int64_t)count : *attempts;
    return done;
}

/* Deletes from table `trace` last. If the sweep is interrupted, the next one thus finds the uploads
 * and deletes their other rows. */
static bool sweep_tables(struct sweep *sweep, bool in_cluster, int64_t *attempts,
                         struct error *error) {
    for (size_t i = remote_table_count(); i-- > 0;) {
        char local[REMOTE_MOST_LOCAL];

        remote_local_name(local, &remote_tables[i], in_cluster);
        if (!find_stale(sweep, local, error) || !delete_stale(sweep, local, attempts, error)) {
            return false;
        }
    }
    return true;
}

bool maintenance_sweep(struct remote *remote, int64_t older, int64_t *rows, int64_t *attempts,
                       struct error *error) {
    struct remote_commits commits;
    struct sweep sweep = {
        .remote = remote, .commits = &commits, .before = time(NULL) - older, .rows = rows};
    bool in_cluster, done;

    *rows = *attempts = 0;
    if (!maintenance_find_tables(remote, &in_cluster, error) ||
        !remote_commits_load(&commits, remote, NULL, error)) {
        return false;
    }
    done = sweep_tables(&sweep, in_cluster, attempts, error);
    text_free(&sweep.pairs);
    remote_commits_free(&commits);
    return done;
}

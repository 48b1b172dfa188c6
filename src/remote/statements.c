#include "remote/statements.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/event.h"

void remote_append_text(struct text *sql, const char *bytes) {
    text_append_string(sql, "unhex('");
    text_append_hex(sql, bytes, strlen(bytes));
    text_append_string(sql, "')");
}

void remote_append_keys_condition(struct text *sql, const struct upload_key *pairs, size_t count) {
    text_append_string(sql, "(trace, attempt) IN (");
    for (size_t i = 0; i < count; i++) {
        text_append_format(sql, "%s(%" PRIu64 ", %" PRIu64 ")", i == 0 ? "" : ", ", pairs[i].trace,
                           pairs[i].attempt);
    }
    text_append_char(sql, ')');
}

/* --- queries that read a store ---------------------------------------------------------------- */

void remote_append_columns(struct text *sql, const char *database) {
    text_append_string(sql, "SELECT table, name, type FROM system.columns WHERE database = ");
    remote_append_text(sql, database);
    text_append_string(sql, " FORMAT RowBinary");
}

/* Appends the names trace, attempt and all columns of the table. */
static void statements_append_columns(struct text *sql, const struct remote_table *table) {
    text_append_string(sql, "trace, attempt");
    for (const struct remote_column *column = table->columns; column->name != NULL; column++) {
        text_append_format(sql, ", `%s`", column->name);
    }
}

/* Appends SELECT … FROM … WHERE; the caller appends the condition. */
static void append_select(struct text *sql, const char *database,
                          const struct remote_table *table) {
    text_append_string(sql, "SELECT ");
    statements_append_columns(sql, table);
    text_append_format(sql, " FROM %s.`%s` WHERE ", database, table->name);
}

void remote_append_select(struct text *sql, const char *database, const struct remote_table *table,
                          const struct upload_key *pairs, size_t count) {
    append_select(sql, database, table);
    remote_append_keys_condition(sql, pairs, count);
    text_append_format(sql, " ORDER BY %s FORMAT RowBinary", table->order);
}

/* Appends the columns that a rollup (table of counts) counts by, separated by commas. */
static void append_dimensions(struct text *sql, const struct remote_table *table) {
    const char *separator = "";

    for (const struct remote_column *column = table->columns; column->name != NULL; column++) {
        if (remote_column_is_dimension(column)) {
            text_append_format(sql, "%s`%s`", separator, column->name);
            separator = ", ";
        }
    }
}

static void append_halves(struct text *sql, const char *column) {
    text_append_format(sql,
                       ", toInt64(sum(bitShiftRight(`%s`, 32))),"
                       " toInt64(sum(bitAnd(`%s`, 4294967295)))",
                       column, column);
}

void remote_append_action_condition(struct text *sql, const char *action) {
    text_append_string(sql, "action_kind = 'action' AND action_text = ");
    remote_append_text(sql, action);
}

void remote_append_rollup(struct text *sql, const char *database, const struct remote_table *table,
                          const struct upload_key *pairs, size_t count, const char *action) {
    text_append_string(sql, "SELECT ");
    append_dimensions(sql, table);
    text_append_string(sql, ", toInt64(count())");
    append_halves(sql, "count");
    append_halves(sql, "bytes");
    text_append_format(sql, " FROM %s.`%s` WHERE ", database, table->name);
    remote_append_keys_condition(sql, pairs, count);
    text_append_string(sql, " AND ");
    remote_append_action_condition(sql, action);
    text_append_string(sql, " GROUP BY ");
    append_dimensions(sql, table);
    text_append_string(sql, " FORMAT RowBinary");
}

/* Appends the condition that a row is in a range of ids. */
static void append_range(struct text *sql, const struct remote_range *range) {
    text_append_format(sql, "`%s` >= %" PRId64 " AND `%s` <= %" PRId64, range->column, range->first,
                       range->column, range->last);
    if (range->condition[0] != '\0') {
        text_append_format(sql, " AND (`%s` < %" PRId64 " OR `%s` > %" PRId64 " OR (1",
                           range->column, range->near_first, range->column, range->near_last);
        text_append_string(sql, range->condition);
        text_append_string(sql, "))");
    }
}

static void append_of_one(struct text *sql, const struct upload_key *pair) {
    text_append_format(sql, "trace = %" PRIu64 " AND attempt = %" PRIu64, pair->trace,
                       pair->attempt);
}

void remote_append_select_range(struct text *sql, const char *database,
                                const struct remote_table *table, const struct upload_key *pair,
                                const struct remote_range *range) {
    append_select(sql, database, table);
    append_of_one(sql, pair);
    text_append_string(sql, " AND ");
    append_range(sql, range);
    text_append_format(sql, " ORDER BY %s FORMAT RowBinary", table->order);
}

/* Appends FROM … WHERE … to a query that counts or adds up the rows of one attempt (upload). */
static void append_from_one(struct text *sql, const char *database, const char *table,
                            const struct upload_key *pair) {
    text_append_format(sql, " FROM %s.`%s` WHERE ", database, table);
    append_of_one(sql, pair);
    text_append_string(sql, " GROUP BY trace, attempt FORMAT RowBinary");
}

void remote_append_count_range(struct text *sql, const char *database,
                               const struct remote_table *table, const struct upload_key *pair,
                               const struct remote_range *range) {
    text_append_string(sql, "SELECT trace, attempt, toInt64(count()), toInt64(sum(");
    append_range(sql, range);
    text_append_string(sql, ")), ");
    /* A value that shows if some rows were lost and others repeated. For `event` it is the sum of
     * id + 2 id^3 modulo 2^64. The summands of different ids differ, so that no single row can
     * replace another. For 10 million events, a server needs 2 s to count different ids, and 0.1 s
     * for this sum. */
    if (strcmp(table->name, "event") == 0) {
        text_append_string(sql, "toInt64(sum(toUInt64(`id`) * (1 + 2 * toUInt64(`id`) * "
                                "toUInt64(`id`))))");
    } else {
        text_append_format(sql, "toInt64(uniqExact(%s))", table->order);
    }
    append_from_one(sql, database, table->name, pair);
}

void remote_append_count_before(struct text *sql, const char *database,
                                const struct upload_key *pair, int64_t from, int64_t to) {
    text_append_format(sql,
                       "SELECT trace, attempt, toInt64(sum(`time` < %" PRId64 ")),"
                       " toInt64(sum(`time` < %" PRId64 "))",
                       from, to);
    append_from_one(sql, database, "event", pair);
}

void remote_append_ids(struct text *sql, const char *column, const struct database_ids *ids,
                       int64_t shift) {
    text_append_format(sql, " AND ifNull(`%s`, 0) IN (", column);
    for (size_t i = 0; i < ids->count; i++) {
        text_append_format(sql, "%s%" PRId64, i == 0 ? "" : ", ",
                           ids->ids[i] == 0 ? 0 : ids->ids[i] - shift);
    }
    /* An SQL list must not be empty; no row has the id -1. */
    text_append_string(sql, ids->count == 0 ? "-1)" : ")");
}

void remote_append_classes(struct text *sql, unsigned classes_out) {
    const char *separator = "";

    text_append_format(sql, " AND bitAnd(ifNull(`flags`, 0), %u) IN (", IO_CLASS_MASK);
    for (uint32_t flags = 0; flags <= IO_CLASS_MASK; flags++) {
        if ((classes_out >> io_class_of(flags) & 1) == 0) {
            text_append_format(sql, "%s%" PRIu32, separator, flags);
            separator = ", ";
        }
    }
    text_append_string(sql, separator[0] == '\0' ? "-1)" : ")");
}

/* Appends the number of rows and the checksum (schema.h). */
static void statements_append_sum(struct text *sql, const struct remote_table *table) {
    text_append_string(sql, "toUInt64(count()), toUInt64(sum(");
    checksum_append_sql(sql, table);
    text_append_string(sql, "))");
}

void remote_append_check_query(struct text *sql, const char *database,
                               const struct upload_key *pairs, size_t count, bool events) {
    const char *separator = "";

    for (size_t i = 1; remote_tables[i].name != NULL; i++) {
        if (remote_tables[i].of_events && !events) {
            continue;
        }
        text_append_format(sql, "%sSELECT toUInt64(%zu), trace, attempt, ", separator, i);
        statements_append_sum(sql, &remote_tables[i]);
        text_append_format(sql, " FROM %s.`%s` WHERE ", database, remote_tables[i].name);
        remote_append_keys_condition(sql, pairs, count);
        text_append_string(sql, " GROUP BY trace, attempt");
        separator = " UNION ALL ";
    }
    text_append_string(sql, " FORMAT RowBinary");
}

void remote_append_sums(struct text *sql, const char *database, const char *table_name,
                        const struct remote_table *table) {
    text_append_string(sql, "SELECT trace, attempt, ");
    statements_append_sum(sql, table);
    text_append_format(sql, " FROM %s.`%s` GROUP BY trace, attempt FORMAT RowBinary", database,
                       table_name);
}

/* --- statements that change rows -------------------------------------------------------------- */

void remote_append_insert(struct text *sql, const char *database,
                          const struct remote_table *table) {
    text_append_format(sql, "INSERT INTO %s.`%s` (", database, table->name);
    statements_append_columns(sql, table);
    text_append_string(sql, ") FORMAT RowBinary");
}

/* --- statements that create tables ------------------------------------------------------------ */

void remote_append_column(struct text *sql, const struct remote_column *column, bool codecs) {
    text_append_format(sql, "`%s` %s", column->name, remote_type_name(column->type));
    if (codecs && column->codec != NULL) {
        text_append_format(sql, " CODEC(%s)", column->codec);
    }
}

static void append_definition(struct text *sql, const char *name, const char *database,
                              const struct remote_table *table, bool codecs) {
    text_append_format(sql, "CREATE TABLE IF NOT EXISTS %s.`%s` (trace UInt64, attempt UInt64",
                       database, name);
    for (const struct remote_column *column = table->columns; column->name != NULL; column++) {
        text_append_string(sql, ", ");
        remote_append_column(sql, column, codecs);
    }
    text_append_string(sql, ")");
}

/* Names the database: after a restart of the server, Distributed() does not know the current one.
 * Rows are distributed by the first key, so that all rows of a trace are on one server. */
static void append_distributed(struct text *sql, const struct remote_layout *layout,
                               const struct remote_table *table) {
    append_definition(sql, table->name, layout->database, table, false);
    text_append_format(sql, " ENGINE = Distributed(%s, %s, %s_local, trace)", layout->cluster,
                       layout->database, table->name);
}

void remote_local_name(char *name, const struct remote_table *table, bool in_cluster) {
    snprintf(name, REMOTE_MOST_LOCAL, "%s%s", table->name, in_cluster ? "_local" : "");
}

static bool define_table(const struct remote_layout *layout, const struct remote_table *table,
                         struct text *sql,
                         bool (*take)(void *context, const char *sql, struct error *error),
                         void *context, struct error *error) {
    char local[REMOTE_MOST_LOCAL];

    remote_local_name(local, table, layout->cluster != NULL);
    text_clear(sql);
    append_definition(sql, local, layout->database, table, layout->codecs);
    text_append_format(sql, " ENGINE = MergeTree ORDER BY (%s)", table->order);
    if (!take(context, text_string(sql), error)) {
        return false;
    }
    if (layout->cluster == NULL) {
        return true;
    }
    text_clear(sql);
    append_distributed(sql, layout, table);
    return take(context, text_string(sql), error);
}

bool remote_visit_definitions(const struct remote_layout *layout,
                              bool (*take)(void *context, const char *sql, struct error *error),
                              void *context, struct error *error) {
    struct text sql = {0};
    bool done;

    text_append_format(&sql, "CREATE DATABASE IF NOT EXISTS %s", layout->database);
    done = take(context, text_string(&sql), error);
    for (const struct remote_table *table = remote_tables; done && table->name != NULL; table++) {
        done = define_table(layout, table, &sql, take, context, error);
    }
    done = done && define_table(layout, &remote_removed, &sql, take, context, error);
    text_free(&sql);
    return done;
}

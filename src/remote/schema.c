#include "remote/schema.h"

#include <inttypes.h>
#include <nettle/md5.h>
#include <string.h>

#include "base/words.h"

#define INTEGER(name)                                                                              \
    { name, REMOTE_INTEGER, NULL, NULL }
#define MAYBE_INTEGER(name)                                                                        \
    { name, REMOTE_MAYBE_INTEGER, NULL, NULL }
#define TEXT(name)                                                                                 \
    { name, REMOTE_TEXT, NULL, NULL }
#define MAYBE_TEXT(name)                                                                           \
    { name, REMOTE_MAYBE_TEXT, NULL, NULL }
#define END                                                                                        \
    { NULL, REMOTE_KEY, NULL, NULL }

/* A compressed column of an event table: the table is large, neighbouring values are similar. */
#define PACKED(name, type)                                                                         \
    { name, type, NULL, "ZSTD(1)" }

/* A column with a text from table `name`, found by an id column. */
#define OF_NAME(name, type, id, what)                                                              \
    { name, type, "(SELECT r." what " FROM name AS r WHERE r.id = t." id ")", NULL }
#define OF_COMPONENT(name, type, what)                                                             \
    {                                                                                              \
        name, type,                                                                                \
            "(SELECT c." what " FROM name AS r JOIN name AS c ON c.id = r.component"               \
            " WHERE r.id = t.operation)",                                                          \
            NULL                                                                                   \
    }
#define OF_ACTOR(name, type, what)                                                                 \
    { name, type, "(SELECT r." what " FROM actor AS r WHERE r.id = t.actor)", NULL }

/* A column with a text from table `name` that is part of a sort key, so it must not be NULL. */
#define TEXT_OF_NAME(name, id, what)                                                               \
    {                                                                                              \
        name, REMOTE_TEXT, "ifnull((SELECT r." what " FROM name AS r WHERE r.id = t." id "), '')", \
            NULL                                                                                   \
    }

#define ACTION_IN_WORDS                                                                            \
    TEXT_OF_NAME("action_kind", "action", "kind"), TEXT_OF_NAME("action_text", "action", "text")

#define OPERATION_IN_WORDS                                                                         \
    TEXT_OF_NAME("operation_kind", "operation", "kind"),                                           \
        OF_NAME("operation_code", REMOTE_MAYBE_INTEGER, "operation", "code"),                      \
        TEXT_OF_NAME("operation_text", "operation", "text"),                                       \
        OF_COMPONENT("component_kind", REMOTE_MAYBE_TEXT, "kind"),                                 \
        OF_COMPONENT("component_code", REMOTE_MAYBE_INTEGER, "code"),                              \
        OF_COMPONENT("component_text", REMOTE_MAYBE_TEXT, "text")

#define ACTOR_IN_WORDS                                                                             \
    OF_ACTOR("actor_session", REMOTE_MAYBE_INTEGER, "session"),                                    \
        OF_ACTOR("actor_pid", REMOTE_MAYBE_INTEGER, "pid"),                                        \
        OF_ACTOR("actor_tid", REMOTE_MAYBE_INTEGER, "tid"),                                        \
        OF_ACTOR("actor_code", REMOTE_MAYBE_INTEGER, "code"),                                      \
        OF_ACTOR("actor_name", REMOTE_MAYBE_TEXT, "name")

/* The two counts in each row of a rollup (table of counts). */
#define COUNTED MAYBE_INTEGER("count"), MAYBE_INTEGER("bytes")

/* Columns of the table `trace`, whose row commits an attempt, so that reports see the trace. push.c
 * binds the values of the columns after `log`. */
static const struct remote_column trace_columns[] = {
    TEXT("name"),
    TEXT("kind"),
    TEXT("format"),
    TEXT("variant"),
    MAYBE_TEXT("device"),
    MAYBE_TEXT("user"),
    MAYBE_INTEGER("start"),
    MAYBE_INTEGER("utc_offset"),
    TEXT("clock_unit"),
    INTEGER("sessions"),
    INTEGER("events"),
    INTEGER("merged"),
    INTEGER("ignored"),
    INTEGER("rejected"),
    INTEGER("lost_bytes"),
    MAYBE_INTEGER("first_event"),
    MAYBE_INTEGER("last_event"),
    MAYBE_INTEGER("first_time"),
    MAYBE_INTEGER("last_time"),
    TEXT("rollups"),
    TEXT("clocks"),
    MAYBE_INTEGER("clock_hz"),
    INTEGER("paired"),
    MAYBE_TEXT("study"),
    MAYBE_INTEGER("round"),
    MAYBE_INTEGER("call_overhead"),
    MAYBE_TEXT("log"),
    /* The following columns exist only in a store. */
    {REMOTE_TRACE_OWN, REMOTE_TEXT, "?10", NULL}, /* hash of the trace's log, 32 hex digits */
    {"content", REMOTE_KEY, "?11", NULL},         /* checksum of all tables except event tables */
    {"event_content", REMOTE_KEY, "?12", NULL}, /* checksum of the tables of events; 0: not sent */
    {"sent_events", REMOTE_INTEGER, "?13", NULL},    /* 1: the events were sent; 0: not */
    {"schema_version", REMOTE_INTEGER, "?14", NULL}, /* schema version of the sending database */
    {"store_version", REMOTE_INTEGER, "?15", NULL},  /* REMOTE_STORE_VERSION at sending */
    {"pushed", REMOTE_INTEGER, "?16", NULL},         /* time of sending, seconds since 1970 */
    {REMOTE_TRACE_ROWS, REMOTE_TEXT, "?17", NULL}, /* number of rows per table, as text (push.h) */
    END,
};

static const struct remote_column removed_columns[] = {
    {"removed", REMOTE_INTEGER, NULL, NULL}, /* time of `store remove`, seconds since 1970 */
    END,
};

static const struct remote_column source_columns[] = {
    INTEGER("id"),
    TEXT("name"),
    TEXT("hash"),
    INTEGER("size"),
    TEXT("packing"),
    INTEGER("events"),
    MAYBE_INTEGER("first_event"),
    MAYBE_INTEGER("last_event"),
    END,
};

static const struct remote_column event_columns[] = {
    {"id", REMOTE_INTEGER, NULL, "Delta, ZSTD(1)"},
    {"time", REMOTE_INTEGER, NULL, "DoubleDelta, ZSTD(1)"},
    PACKED("duration", REMOTE_MAYBE_INTEGER),
    PACKED("operation", REMOTE_MAYBE_INTEGER),
    PACKED("actor", REMOTE_MAYBE_INTEGER),
    PACKED("object", REMOTE_MAYBE_INTEGER),
    PACKED("flags", REMOTE_MAYBE_INTEGER),
    PACKED("address", REMOTE_MAYBE_INTEGER),
    PACKED("size", REMOTE_MAYBE_INTEGER),
    PACKED("value", REMOTE_MAYBE_INTEGER),
    PACKED("parent", REMOTE_MAYBE_INTEGER),
    PACKED("depth", REMOTE_MAYBE_INTEGER),
    PACKED("arguments", REMOTE_MAYBE_BYTES),
    PACKED("self", REMOTE_MAYBE_INTEGER),
    PACKED("issuer", REMOTE_MAYBE_INTEGER),
    PACKED("response", REMOTE_MAYBE_INTEGER),
    PACKED("error", REMOTE_MAYBE_INTEGER),
    PACKED("source", REMOTE_MAYBE_INTEGER),
    PACKED("source_address", REMOTE_MAYBE_INTEGER),
    END,
};

static const struct remote_column cpu_time_columns[] = {
    INTEGER("event"),
    INTEGER("duration"),
    MAYBE_INTEGER("self"),
    END,
};

static const struct remote_column open_call_columns[] = {
    INTEGER("event"),          INTEGER("duration"),
    MAYBE_INTEGER("self"),     MAYBE_INTEGER("cpu_duration"),
    MAYBE_INTEGER("cpu_self"), END,
};

static const struct remote_column io_part_columns[] = {
    INTEGER("event"), INTEGER("number"), MAYBE_INTEGER("object"),
    INTEGER("flags"), INTEGER("bytes"),  END,
};

static const struct remote_column name_columns[] = {
    INTEGER("id"), TEXT("kind"), MAYBE_INTEGER("code"), TEXT("text"), MAYBE_INTEGER("component"),
    END,
};

static const struct remote_column actor_columns[] = {
    INTEGER("id"),
    INTEGER("session"),
    MAYBE_INTEGER("pid"),
    MAYBE_INTEGER("tid"),
    MAYBE_INTEGER("code"),
    MAYBE_TEXT("name"),
    END,
};

static const struct remote_column object_columns[] = {
    INTEGER("id"),
    MAYBE_TEXT("name"),
    MAYBE_TEXT("type"),
    MAYBE_INTEGER("device"),
    MAYBE_INTEGER("inode"),
    MAYBE_INTEGER("generation"),
    END,
};

static const struct remote_column remap_columns[] = {
    INTEGER("from"),
    INTEGER("device"),
    MAYBE_INTEGER("shift"),
    INTEGER("first"),
    INTEGER("last"),
    INTEGER("count"),
    END,
};

static const struct remote_column pairing_columns[] = {
    MAYBE_INTEGER("device"), INTEGER("issues"),
    INTEGER("completions"),  INTEGER("pairs"),
    INTEGER("open"),         INTEGER("unissued"),
    INTEGER("unbelieved"),   INTEGER("proven"),
    INTEGER("told"),         END,
};

static const struct remote_column map_columns[] = {
    TEXT("image"),
    TEXT("uuid"),
    MAYBE_INTEGER("device"),
    MAYBE_INTEGER("offset"),
    MAYBE_INTEGER("horizon"),
    INTEGER("transactions"),
    INTEGER("proven"),
    INTEGER("journal"),
    INTEGER("likely"),
    INTEGER("unmapped"),
    INTEGER("several"),
    INTEGER("outside"),
    MAYBE_TEXT("before"),
    INTEGER("journals"),
    END,
};

static const struct remote_column meaning_columns[] = {
    TEXT("column"), TEXT("kind"), TEXT("what"), TEXT("unit"), END,
};

static const struct remote_column loggable_columns[] = {
    INTEGER("code"),
    INTEGER("by_default"),
    END,
};

static const struct remote_column partition_columns[] = {
    INTEGER("number"),        TEXT("name"), MAYBE_INTEGER("device"), MAYBE_INTEGER("first_sector"),
    MAYBE_INTEGER("sectors"), END,
};

static const struct remote_column ledger_columns[] = {
    INTEGER("source"),
    TEXT("outcome"),
    TEXT("reason"),
    INTEGER("count"),
    INTEGER("first_offset"),
    INTEGER("bytes"),
    END,
};

static const struct remote_column probe_columns[] = {
    INTEGER("name"), TEXT("resolution"), TEXT("origin"), INTEGER("enabled"), END,
};

static const struct remote_column remark_columns[] = {
    INTEGER("number"),
    TEXT("text"),
    END,
};

static const struct remote_column rollup_hour_columns[] = {
    INTEGER("action"), ACTION_IN_WORDS, INTEGER("class"), INTEGER("hour"), COUNTED, END,
};

static const struct remote_column rollup_operation_columns[] = {
    INTEGER("operation"), OPERATION_IN_WORDS, INTEGER("actor"), ACTOR_IN_WORDS, COUNTED, END,
};

static const struct remote_column rollup_size_columns[] = {
    INTEGER("action"), ACTION_IN_WORDS, INTEGER("class"), INTEGER("size"), COUNTED, END,
};

static const struct remote_column rollup_block_columns[] = {
    INTEGER("action"), ACTION_IN_WORDS,   INTEGER("class"), INTEGER("block_type"),
    TEXT("partition"), TEXT("file_type"), COUNTED,          END,
};

static const struct remote_column rollup_process_columns[] = {
    INTEGER("action"), ACTION_IN_WORDS, INTEGER("class"), TEXT("process"), COUNTED, END,
};

static const struct remote_column rollup_origin_columns[] = {
    INTEGER("action"), ACTION_IN_WORDS, INTEGER("origin"), COUNTED, END,
};

static const struct remote_column rollup_letters_columns[] = {
    INTEGER("action"), ACTION_IN_WORDS, INTEGER("letters"), COUNTED, END,
};

static const struct remote_column rollup_depth_columns[] = {
    INTEGER("marks"),
    INTEGER("depth"),
    COUNTED,
    END,
};

static const struct remote_column rollup_span_columns[] = {
    INTEGER("operation"),       OPERATION_IN_WORDS,
    INTEGER("actor"),           ACTOR_IN_WORDS,
    MAYBE_INTEGER("calls"),     MAYBE_INTEGER("timed"),
    MAYBE_INTEGER("total"),     MAYBE_INTEGER("sum"),
    MAYBE_INTEGER("self"),      MAYBE_INTEGER("least"),
    MAYBE_INTEGER("most"),      MAYBE_INTEGER("cpu_timed"),
    MAYBE_INTEGER("cpu_total"), MAYBE_INTEGER("cpu_sum"),
    MAYBE_INTEGER("cpu_self"),  MAYBE_INTEGER("cpu_least"),
    MAYBE_INTEGER("cpu_most"),  END,
};

static const struct remote_column rollup_latency_columns[] = {
    INTEGER("action"), ACTION_IN_WORDS,  INTEGER("class"), INTEGER("least"),
    INTEGER("most"),   INTEGER("count"), INTEGER("sum"),   END,
};

static const struct remote_column rollup_call_columns[] = {
    INTEGER("operation"),   OPERATION_IN_WORDS,
    INTEGER("error"),       TEXT_OF_NAME("error_text", "error", "text"),
    INTEGER("result"),      INTEGER("calls"),
    INTEGER("bytes"),       INTEGER("timed"),
    MAYBE_INTEGER("total"), MAYBE_INTEGER("least"),
    MAYBE_INTEGER("most"),  INTEGER("first"),
    INTEGER("last"),        END,
};

static const struct remote_column loss_columns[] = {
    INTEGER("cpu"),    INTEGER("lost"),        INTEGER("uncounted"),  INTEGER("overwritten"),
    INTEGER("events"), MAYBE_INTEGER("first"), MAYBE_INTEGER("last"), END,
};

/* Sort keys on the server. Rows of a trace are neighbours. Rollups (tables of counts) are sorted by
 * text first, so that equal texts of different traces are neighbours. Old servers refuse nullable
 * columns in sort keys. */
#define OF_TRACE "trace, attempt"

const struct remote_table remote_tables[] = {
    {"trace", trace_columns, OF_TRACE, NULL, false},
    {"source", source_columns, OF_TRACE ", id", "id", false},
    {"event", event_columns, OF_TRACE ", id", "id", true},
    {"cpu_time", cpu_time_columns, OF_TRACE ", event", "event", true},
    {"open_call", open_call_columns, OF_TRACE ", event", "event", true},
    {"io_part", io_part_columns, OF_TRACE ", event, number", "event", true},
    {"name", name_columns, OF_TRACE ", id", "id", false},
    {"actor", actor_columns, OF_TRACE ", id", "id", false},
    {"object", object_columns, OF_TRACE ", id", "id", false},
    {"remap", remap_columns, OF_TRACE, NULL, false},
    {"map", map_columns, OF_TRACE, NULL, false},
    {"meaning", meaning_columns, OF_TRACE, NULL, false},
    {"loggable", loggable_columns, OF_TRACE ", code", "code", false},
    {"partition", partition_columns, OF_TRACE ", number", "number", false},
    {"ledger", ledger_columns, OF_TRACE, NULL, false},
    {"probe", probe_columns, OF_TRACE ", name", "name", false},
    {"remark", remark_columns, OF_TRACE ", number", "number", false},
    {"rollup_hour", rollup_hour_columns, "action_text, class, hour, " OF_TRACE, NULL, false},
    {"rollup_operation", rollup_operation_columns, "operation_kind, operation_text, " OF_TRACE,
     NULL, false},
    {"rollup_size", rollup_size_columns, "action_text, class, size, " OF_TRACE, NULL, false},
    {"rollup_block", rollup_block_columns,
     "action_text, class, block_type, partition, file_type, " OF_TRACE, NULL, false},
    {"rollup_process", rollup_process_columns, "action_text, class, process, " OF_TRACE, NULL,
     false},
    {"rollup_origin", rollup_origin_columns, "action_text, origin, " OF_TRACE, NULL, false},
    {"rollup_letters", rollup_letters_columns, "action_text, letters, " OF_TRACE, NULL, false},
    {"rollup_depth", rollup_depth_columns, "marks, depth, " OF_TRACE, NULL, false},
    {"rollup_span", rollup_span_columns, "operation_kind, operation_text, " OF_TRACE, NULL, false},
    {"rollup_latency", rollup_latency_columns, "action_text, class, least, " OF_TRACE, NULL, false},
    /* Add new tables at the end: the index of a table is part of checksums. */
    {"loss", loss_columns, OF_TRACE ", cpu", "cpu", false},
    {"pairing", pairing_columns, OF_TRACE, NULL, false},
    {"rollup_call", rollup_call_columns, "operation_kind, operation_text, " OF_TRACE, NULL, false},
    {NULL, NULL, NULL, NULL, false},
};

const struct remote_table remote_removed = {"removed", removed_columns, OF_TRACE, NULL, false};

const struct remote_table *remote_table_find(const char *name) {
    for (const struct remote_table *table = remote_tables; table->name != NULL; table++) {
        if (strcmp(table->name, name) == 0) {
            return table;
        }
    }
    return NULL;
}

size_t remote_table_count(void) {
    size_t count = 0;

    while (remote_tables[count].name != NULL) {
        count++;
    }
    return count;
}

bool remote_column_is_dimension(const struct remote_column *column) {
    return !word_in("action action_kind action_text count bytes", column->name);
}

const char *remote_type_name(enum remote_type type) {
    static const char *const names[] = {
        [REMOTE_KEY] = "UInt64",
        [REMOTE_INTEGER] = "Int64",
        [REMOTE_MAYBE_INTEGER] = "Nullable(Int64)",
        [REMOTE_TEXT] = "String",
        [REMOTE_MAYBE_TEXT] = "Nullable(String)",
        [REMOTE_MAYBE_BYTES] = "Nullable(String)",
    };

    return names[type];
}

bool remote_type_is_nullable(enum remote_type type) {
    return type == REMOTE_MAYBE_INTEGER || type == REMOTE_MAYBE_TEXT || type == REMOTE_MAYBE_BYTES;
}

bool remote_type_is_text(enum remote_type type) {
    return type == REMOTE_TEXT || type == REMOTE_MAYBE_TEXT || type == REMOTE_MAYBE_BYTES;
}

/* --- checksums of rows ------------------------------------------------------------------------ */

/* Returns the factor of a column in the checksum. It is odd, so that multiplication loses no bits,
 * and different for each column. */
static uint64_t schema_weight_of(size_t column) {
    return 2 * (uint64_t)column + 3;
}

void checksum_append_sql(struct text *sql, const struct remote_table *table) {
    if (table->number != NULL) {
        text_append_format(sql, "(toUInt64(`%s`) + 1) * ", table->number);
    }
    text_append_char(sql, '(');
    for (size_t i = 0; table->columns[i].name != NULL; i++) {
        const struct remote_column *column = &table->columns[i];
        const char *function = remote_type_is_text(column->type) ? "halfMD5" : "toUInt64";

        text_append_string(sql, i == 0 ? "" : " + ");
        if (remote_type_is_nullable(column->type)) {
            text_append_format(sql, "ifNull((%s(`%s`) + 1) * %" PRIu64 ", 0)", function,
                               column->name, schema_weight_of(i));
        } else {
            text_append_format(sql, "%s(`%s`) * %" PRIu64, function, column->name,
                               schema_weight_of(i));
        }
    }
    text_append_char(sql, ')');
}

static uint64_t half_md5(const void *bytes, size_t length) {
    uint8_t digest[MD5_DIGEST_SIZE];
    struct md5_ctx context;
    uint64_t half = 0;

    md5_init(&context);
    md5_update(&context, length, bytes);
    md5_digest(&context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof half; i++) {
        half = half << 8 | digest[i];
    }
    return half;
}

static uint64_t schema_value_of(sqlite3_stmt *row, int at, enum remote_type type) {
    if (!remote_type_is_text(type)) {
        return (uint64_t)sqlite3_column_int64(row, at);
    }
    const void *bytes = sqlite3_column_blob(row, at);

    return half_md5(bytes == NULL ? "" : bytes, (size_t)sqlite3_column_bytes(row, at));
}

uint64_t checksum_row(sqlite3_stmt *row, const struct remote_table *table) {
    uint64_t sum = 0, number = 0;

    for (size_t i = 0; table->columns[i].name != NULL; i++) {
        const struct remote_column *column = &table->columns[i];
        bool nullable = remote_type_is_nullable(column->type);
        uint64_t value;

        if (nullable && sqlite3_column_type(row, (int)i) == SQLITE_NULL) {
            continue;
        }
        value = schema_value_of(row, (int)i, column->type);
        sum += (value + (nullable ? 1 : 0)) * schema_weight_of(i);
        if (table->number != NULL && strcmp(column->name, table->number) == 0) {
            number = value;
        }
    }
    return (number + 1) * sum;
}

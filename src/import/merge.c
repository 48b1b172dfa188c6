/* Merges streams of records by time.
 *
 * Records of equal time come in order of their streams; equal times within a stream keep their
 * order. A stream that is out of order is first sorted within a window of records; a record that is
 * too late for the window is returned as soon as it is read. A stream is not read before its given
 * start, so that consecutive files are opened one at a time. */
#include "import/reading.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/event.h"

/* Number of SQLite's virtual machine instructions between checks for an interruption. */
enum { STEPS_AT_ONCE = 10000 };

struct record_sort {
    sqlite3 *database;    /* owned; a temporary database */
    sqlite3_stmt *insert; /* owned */
    sqlite3_stmt *select; /* owned; reads the sorted records; NULL: reading has not begun */
    int64_t last;         /* time of the last record added */
    bool in_order;        /* true: all records so far were in order */
};

static bool merge_failed(const struct record_sort *sort, struct error *error) {
    return error_set(error, "sorting the log by time: %s%s", sqlite3_errmsg(sort->database),
                     sqlite3_errcode(sort->database) == SQLITE_FULL
                         ? "; TMPDIR names a folder with more room"
                         : "");
}

static int merge_is_interrupted(void *context) {
    return *(const volatile sig_atomic_t *)context != 0;
}

static bool merge_prepare(struct record_sort *sort, const char *sql, sqlite3_stmt **statement,
                          struct error *error) {
    return sqlite3_prepare_v2(sort->database, sql, -1, statement, NULL) == SQLITE_OK ||
           merge_failed(sort, error);
}

struct record_sort *record_sort_open(const volatile sig_atomic_t *interrupted,
                                     struct error *error) {
    struct record_sort *sort = xcalloc(1, sizeof *sort);

    sort->last = INT64_MIN;
    sort->in_order = true;
    if (sqlite3_open("", &sort->database) != SQLITE_OK ||
        sqlite3_exec(sort->database,
                     "PRAGMA page_size = 16384; PRAGMA cache_size = -16384;"
                     " PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                     " CREATE TABLE record (number INTEGER PRIMARY KEY, time INTEGER,"
                     "  stream INTEGER, \"offset\" INTEGER, size INTEGER, bytes BLOB); BEGIN",
                     NULL, NULL, NULL) != SQLITE_OK) {
        merge_failed(sort, error);
    } else if (merge_prepare(sort, "INSERT INTO record VALUES (NULL, ?1, ?2, ?3, ?4, ?5)",
                             &sort->insert, error)) {
        if (interrupted != NULL) {
            sqlite3_progress_handler(sort->database, STEPS_AT_ONCE, merge_is_interrupted,
                                     (void *)interrupted);
        }
        return sort;
    }
    record_sort_close(sort);
    return NULL;
}

bool record_sort_add(struct record_sort *sort, size_t stream, int64_t time,
                     const struct stream_record *record, struct error *error) {
    sort->in_order &= time >= sort->last;
    sort->last = time;
    sqlite3_bind_int64(sort->insert, 1, time);
    sqlite3_bind_int64(sort->insert, 2, (int64_t)stream);
    sqlite3_bind_int64(sort->insert, 3, record->offset);
    sqlite3_bind_int64(sort->insert, 4, record->size);
    if (record->bytes == NULL) {
        sqlite3_bind_null(sort->insert, 5);
    } else {
        sqlite3_bind_blob64(sort->insert, 5, record->length == 0 ? (const void *)"" : record->bytes,
                            record->length, SQLITE_STATIC);
    }
    sqlite3_step(sort->insert);
    return sqlite3_reset(sort->insert) == SQLITE_OK || merge_failed(sort, error);
}

/* Begins to read records in order of time. Sorts by an index, not by SQLite's sorter, because the
 * records are nearly in order. */
static bool merge_begin_reading(struct record_sort *sort, struct error *error) {
    if (!sort->in_order &&
        sqlite3_exec(sort->database, "CREATE INDEX record_by_time ON record (time)", NULL, NULL,
                     NULL) != SQLITE_OK) {
        return merge_failed(sort, error);
    }
    return merge_prepare(sort,
                         sort->in_order
                             ? "SELECT stream, \"offset\", size, bytes FROM record ORDER BY number"
                             : "SELECT stream, \"offset\", size, bytes FROM record INDEXED BY "
                               "record_by_time ORDER BY time, number",
                         &sort->select, error);
}

bool record_sort_next(struct record_sort *sort, size_t *stream, struct stream_record *record,
                      bool *some, struct error *error) {
    int result;

    if (sort->select == NULL && !merge_begin_reading(sort, error)) {
        return false;
    }
    result = sqlite3_step(sort->select);
    *some = result == SQLITE_ROW;
    if (!*some) {
        return result == SQLITE_DONE || merge_failed(sort, error);
    }
    *stream = (size_t)sqlite3_column_int64(sort->select, 0);
    *record = (struct stream_record){
        .bytes = sqlite3_column_blob(sort->select, 3),
        .length = (size_t)sqlite3_column_bytes(sort->select, 3),
        .offset = sqlite3_column_int64(sort->select, 1),
        .size = sqlite3_column_int64(sort->select, 2),
    };
    /* sqlite3_column_blob() returns NULL for an empty string, too: replaces it by "". */
    if (record->bytes == NULL && sqlite3_column_type(sort->select, 3) != SQLITE_NULL) {
        record->bytes = (const uint8_t *)"";
    }
    return true;
}

void record_sort_close(struct record_sort *sort) {
    if (sort != NULL) {
        sqlite3_finalize(sort->insert);
        sqlite3_finalize(sort->select);
        sqlite3_close(sort->database);
        free(sort);
    }
}

/* --- merging streams by time ------------------------------------------------------------------ */

/* A buffer larger than this is freed after its record was used, instead of being reused. */
enum { KEPT_BYTES = 256 };

/* After this many records read from a stream, or STREAM_BYTES of them, keep_old_records() copies
 * older ones that still wait. */
enum { KEPT_RECORDS = 1024 };

/* A record that has been read, but is not due yet in order of time. */
struct held {
    int64_t time;
    size_t read; /* number of bytes read from the stream up to this record */
    /* The record. Its bytes are copied to `memory`, unless records are not sorted within a window,
     * or the parsed form is still valid. */
    struct stream_record record;
    uint8_t *memory; /* owned */
    size_t capacity;
};

/* A stream to be merged. Its waiting records are sorted by time: `held[first]` is the next one. */
struct lane {
    struct held *held; /* owned; ring of window + 1 records; waiting ones start at `first` */
    size_t first, count;
    size_t bytes;  /* total size of waiting records */
    size_t read;   /* bytes read */
    size_t unkept; /* unkept, unkept_records: bytes and number of records read since the last
                      keep_old_records() */
    unsigned unkept_records;
    int64_t head;      /* time of the next record; before the first record: the stream's time in
                          `first_times` */
    int64_t read_time; /* time of the last record read */
    int64_t given_time;
    bool begun, ended;
};

/* `heap`: numbers of the streams that have not ended; heap[0] has the earliest next record. */
struct merge {
    struct merge_input input;
    struct lane *lanes; /* owned */
    size_t count;
    size_t *heap; /* owned */
    size_t heap_count;
    size_t ring; /* capacity of a stream's ring */
    bool begun;  /* true: the heap was built */
    bool given;  /* true: the first record of heap[0] was returned and must be dropped */
    int64_t late;
};

struct merge *merge_open(const struct merge_input *input, const int64_t *first_times, size_t count,
                         unsigned window) {
    struct merge *merge = xcalloc(1, sizeof *merge);

    merge->input = *input;
    merge->ring = (size_t)window + 1;
    merge->lanes = xcalloc(count + 1, sizeof *merge->lanes);
    merge->heap = xcalloc(count + 1, sizeof *merge->heap);
    merge->count = count;
    for (size_t i = 0; i < count; i++) {
        merge->lanes[i].head = merge->lanes[i].read_time = first_times[i];
        merge->lanes[i].given_time = INT64_MIN;
    }
    return merge;
}

static void free_lane(struct merge *merge, struct lane *lane) {
    for (size_t i = 0; lane->held != NULL && i < merge->ring; i++) {
        free(lane->held[i].memory);
    }
    free(lane->held);
    lane->held = NULL;
}

void merge_close(struct merge *merge) {
    if (merge == NULL) {
        return;
    }
    for (size_t i = 0; i < merge->count; i++) {
        free_lane(merge, &merge->lanes[i]);
    }
    free(merge->lanes);
    free(merge->heap);
    free(merge);
}

/* --- heap of streams -------------------------------------------------------------------------- */

static bool lane_comes_before(const struct merge *merge, size_t left, size_t right) {
    int64_t a = merge->lanes[left].head, b = merge->lanes[right].head;

    return a != b ? a < b : left < right;
}

/* Moves the stream at heap index `place` down, because its next record is now later. */
static void sift_lane_down(struct merge *merge, size_t place) {
    size_t lane = merge->heap[place];

    for (size_t below; (below = 2 * place + 1) < merge->heap_count; place = below) {
        if (below + 1 < merge->heap_count &&
            lane_comes_before(merge, merge->heap[below + 1], merge->heap[below])) {
            below++;
        }
        if (!lane_comes_before(merge, merge->heap[below], lane)) {
            break;
        }
        merge->heap[place] = merge->heap[below];
    }
    merge->heap[place] = lane;
}

/* --- reading one stream ----------------------------------------------------------------------- */

static struct held *held_record_at(const struct merge *merge, const struct lane *lane,
                                   size_t position) {
    const size_t at = lane->first + position;

    return &lane->held[at < merge->ring ? at : at - merge->ring];
}

static void copy_record(struct held *held, const struct stream_record *record) {
    held->record = *record;
    if (record->bytes == NULL) {
        return;
    }
    if (held->capacity < record->length + 1) {
        free(held->memory);
        held->capacity = record->length + 1;
        held->memory = xmalloc(held->capacity);
    }
    memcpy(held->memory, record->bytes, record->length);
    held->record.bytes = held->memory;
}

/* Copies records that wait for long, as when the clock was set back: their parsed form does not
 * stay valid (read_ahead.h). They will be parsed again. */
static void keep_old_records(struct merge *merge, struct lane *lane) {
    if (lane->unkept < STREAM_BYTES && lane->unkept_records < KEPT_RECORDS) {
        return;
    }
    for (size_t i = 0; i < lane->count; i++) {
        struct held *held = held_record_at(merge, lane, i);

        if (held->record.parsed != NULL && lane->read - held->read >= lane->unkept / 2) {
            copy_record(held, &held->record);
            held->record.parsed = NULL;
        }
    }
    lane->unkept = lane->unkept_records = 0;
}

/* Reads one more record of a stream into its ring, which has room for it. */
static bool merge_read_record(struct merge *merge, size_t number, struct error *error) {
    struct lane *lane = &merge->lanes[number];
    struct stream_record record = {0};
    struct held *held;
    int64_t time = EVENT_NONE;
    bool some;

    if (!merge->input.next(merge->input.context, number, &record, &time, &some, error)) {
        return false;
    }
    lane->ended = !some;
    if (!some) {
        return true;
    }
    lane->read_time = time == EVENT_NONE ? lane->read_time : time;
    held = held_record_at(merge, lane, lane->count);
    held->time = lane->read_time;
    /* The bytes of an unparsed record are valid until the stream is read again, so they are copied.
     * Without a window (`ring` is 1) the record is returned before that, and is not copied. Parsed
     * records stay valid longer; keep_old_records() copies them in time. */
    held->record = record;
    if (merge->ring > 1 && record.parsed == NULL) {
        copy_record(held, &record);
    }
    lane->count++;
    lane->bytes += record.length;
    held->read = lane->read += record.length;
    lane->unkept += record.length;
    lane->unkept_records++;
    /* Moves the new record to its place by time, after records of equal time. */
    size_t place = lane->count - 1;
    struct held last = *held_record_at(merge, lane, place);

    for (; place > 0 && held_record_at(merge, lane, place - 1)->time > last.time; place--) {
        *held_record_at(merge, lane, place) = *held_record_at(merge, lane, place - 1);
    }
    *held_record_at(merge, lane, place) = last;
    keep_old_records(merge, lane);
    return true;
}

/* Reads ahead in a stream until its window is full: the first of its waiting records is then the
 * stream's next record in order of time. */
static bool merge_fill(struct merge *merge, size_t number, struct error *error) {
    struct lane *lane = &merge->lanes[number];

    while (!lane->ended && lane->count < merge->ring &&
           (lane->count == 0 || lane->bytes < STREAM_BYTES)) {
        if (!merge_read_record(merge, number, error)) {
            return false;
        }
    }
    if (lane->count > 0) {
        lane->head = held_record_at(merge, lane, 0)->time;
    }
    return true;
}

static bool merge_begin_lane(struct merge *merge, size_t number, struct error *error) {
    struct lane *lane = &merge->lanes[number];

    lane->begun = true;
    lane->held = xcalloc(merge->ring, sizeof *lane->held);
    return merge_fill(merge, number, error);
}

static bool drop_head_of_lane(struct merge *merge, size_t number, struct error *error) {
    struct lane *lane = &merge->lanes[number];
    struct held *held = held_record_at(merge, lane, 0);

    lane->bytes -= held->record.length;
    if (held->capacity > KEPT_BYTES) {
        free(held->memory);
        held->memory = NULL;
        held->capacity = 0;
    }
    lane->first = lane->first + 1 == merge->ring ? 0 : lane->first + 1;
    lane->count--;
    return merge_fill(merge, number, error);
}

/* --- reading all streams in order ------------------------------------------------------------- */

/* Moves the stream at the top of the heap to its new place, or removes it if it has ended. */
static void sift_top_lane_down(struct merge *merge) {
    struct lane *lane = &merge->lanes[merge->heap[0]];

    if (lane->count == 0) {
        free_lane(merge, lane);
        merge->heap[0] = merge->heap[--merge->heap_count];
    }
    if (merge->heap_count > 0) {
        sift_lane_down(merge, 0);
    }
}

bool merge_next(struct merge *merge, size_t *stream, struct stream_record *record, bool *some,
                struct error *error) {
    struct lane *lane;

    if (merge->given) {
        merge->given = false;
        if (!drop_head_of_lane(merge, merge->heap[0], error)) {
            return false;
        }
        sift_top_lane_down(merge);
    } else if (!merge->begun) {
        /* Builds the heap of all streams. */
        merge->begun = true;
        for (; merge->heap_count < merge->count; merge->heap_count++) {
            merge->heap[merge->heap_count] = merge->heap_count;
        }
        for (size_t place = merge->heap_count / 2; place-- > 0;) {
            sift_lane_down(merge, place);
        }
    }
    while (merge->heap_count > 0 && !merge->lanes[merge->heap[0]].begun) {
        if (!merge_begin_lane(merge, merge->heap[0], error)) {
            return false;
        }
        sift_top_lane_down(merge);
    }
    *some = merge->given = merge->heap_count > 0;
    if (!*some) {
        return true;
    }
    *stream = merge->heap[0];
    lane = &merge->lanes[*stream];
    *record = held_record_at(merge, lane, 0)->record;
    merge->late += lane->head < lane->given_time;
    lane->given_time = lane->head > lane->given_time ? lane->head : lane->given_time;
    return true;
}

int64_t merge_count_late_records(const struct merge *merge) {
    return merge->late;
}

#include "annotate/mapping.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "model/meaning.h"
#include "model/file_type.h"
#include "scan/event_scan.h"
#include "select/counted_action.h"
#include "store/devices.h"
#include "base/memory.h"

/* Flag bits of an I/O that `tracetool map` sets. */
#define MAP_SETS (IO_MAP_FLAGS | IO_BLOCK_MASK << IO_BLOCK_SHIFT)

/* Number of events read at once. The database cannot be written while events are read. */
#define MAPPED_AT_ONCE 65536

/* Object of a file, with the name that the file had after a journal transaction. */
struct file_object {
    uint32_t object; /* id of the object; 0: none yet */
    uint32_t then;   /* journal transaction of the object's name; UINT32_MAX: name in the image */
};

struct mapping {
    struct annotation *annotation;
    const struct mapping_request *request;
    struct file_map *map; /* borrowed */
    struct mapping_counts *counts;
    struct filesystem_location place;
    int64_t action; /* id of the counted action (name.id); EVENT_NONE: all actions */
    struct devices devices;
    struct file_types types;
    uint32_t *named; /* owned; ids of objects named by the log itself, ascending */
    size_t named_count;
    struct commits commits;
    struct allocations log;          /* owned; allocations recorded in the log */
    struct file_object *files;       /* owned; by index of the file in the map: object used last */
    uint32_t classes[BLOCK_CLASSES]; /* by block class: ids of objects for blocks without a file */
    uint32_t nobody; /* id of the object for I/Os to which the log gives no file; 0: none */
    /* owned; MAPPED_AT_ONCE I/Os each: one is filled while the other is looked up */
    struct io_lookup *ios[2];
    struct io_lookup *reading; /* buffer that is filled from the database */
    size_t count;
    struct io_owners *owners;  /* owned */
    sqlite3_stmt *insert_part; /* owned */
    struct text path;          /* owned */
};

/* --- objects: the rows for files in the table `object` ---------------------------------------- */

static bool read_named(struct mapping *mapping, struct error *error) {
    struct database_query query =
        database_query(mapping->annotation->store.database, error,
                       "SELECT id, count(*) OVER () FROM main.object"
                       " WHERE trace = ?1 AND name NOT NULL AND inode IS NULL ORDER BY id",
                       "i", mapping->annotation->trace->id);

    while (database_next(&query)) {
        if (mapping->named == NULL) {
            mapping->named =
                xmalloc((size_t)sqlite3_column_int64(query.row, 1) * sizeof *mapping->named);
        }
        mapping->named[mapping->named_count++] = (uint32_t)sqlite3_column_int64(query.row, 0);
    }
    return database_end(&query);
}

static bool mapping_is_named(const struct mapping *mapping, uint32_t object) {
    return mapping->named_count > 0 && bsearch(&object, mapping->named, mapping->named_count,
                                               sizeof object, compare_uint32) != NULL;
}

/* Returns the type of a file by its name and its blocks' class. */
static const char *file_type_by_name(const struct mapping *mapping,
                                     const struct evidence *evidence) {
    switch (evidence->class) {
    case BLOCK_DIRECTORY:
        return "directory";
    case BLOCK_SYMLINK:
        return "symbolic link";
    default:
        if (mapping->map->files.items[evidence->file].encrypted != 0) {
            return "encrypted"; /* an encrypted name has no extension */
        }
        return file_types_find(&mapping->types, mapping->path.bytes, mapping->path.length);
    }
}

/* Returns the object for blocks without a file. Its type is the blocks' class: "[journal]". */
static uint32_t object_of_block_class(struct mapping *mapping, unsigned class,
                                      struct error *error) {
    uint32_t *object = &mapping->classes[class];
    struct object_entry entry = {.device = mapping->place.device};
    char type[48];

    if (*object == 0) {
        snprintf(type, sizeof type, "[%s]", block_class_name(class));
        entry.type = type;
        *object = annotation_add_object(mapping->annotation, &entry, error);
    }
    return *object;
}

/* Returns the object for a file, with the file's name at the time of the I/O. */
static uint32_t object_of_named_file(struct mapping *mapping, const struct evidence *evidence,
                                     struct error *error) {
    const struct map_file *file = &mapping->map->files.items[evidence->file];
    struct file_object *last = &mapping->files[evidence->file];
    uint32_t then = evidence->past ? evidence->then : UINT32_MAX;
    struct object_entry entry = {
        .device = mapping->place.device,
        .inode = file->inode,
        .generation = file->generation,
    };

    if (last->object != 0 && last->then == then) {
        return last->object;
    }
    text_clear(&mapping->path);
    if (evidence->past) {
        file_map_append_path_after(mapping->map, evidence->file, then, &mapping->path);
    } else {
        file_map_append_path(mapping->map, evidence->file, &mapping->path);
    }
    entry.name = mapping->path.bytes;
    entry.length = mapping->path.length;
    entry.type = file_type_by_name(mapping, evidence);
    *last = (struct file_object){annotation_add_object(mapping->annotation, &entry, error), then};
    return last->object;
}

/* --- writing the owners of an I/O ------------------------------------------------------------- */

static enum io_block_type block_type_of(unsigned class) {
    switch (class) {
    case BLOCK_FREE:
        return IO_BLOCK_NONE;
    case BLOCK_DATA:
    case BLOCK_UNWRITTEN:
        return IO_BLOCK_DATA;
    case BLOCK_JOURNAL:
        return IO_BLOCK_JOURNAL;
    default:
        return IO_BLOCK_METADATA;
    }
}

static void count_io(struct mapping *mapping, const struct io_lookup *io, int64_t *counter) {
    if (mapping->action == EVENT_NONE || (int64_t)io->operation == mapping->action) {
        ++*counter;
    }
}

/* Removes the flags set by an earlier `tracetool map`, and the block type if `map` had set it. */
static uint32_t flags_without_map(uint32_t flags) {
    if (io_evidence_of(flags) != IO_EVIDENCE_UNASKED) {
        flags &= ~(IO_BLOCK_MASK << IO_BLOCK_SHIFT);
    }
    return flags & ~(uint32_t)IO_MAP_FLAGS;
}

/* Sets object and flags of an I/O's part by its owner. The caller has reset both to what the log
 * says. Returns false with `error` set on failure. */
static bool set_owner(struct mapping *mapping, const struct evidence *owner,
                      struct event_change *event, struct error *error) {
    event->flags |= (uint32_t)owner->word << IO_EVIDENCE_SHIFT;
    if (owner->word != IO_EVIDENCE_NONE) {
        event->flags &= ~(IO_BLOCK_MASK << IO_BLOCK_SHIFT);
        event->flags |= (uint32_t)block_type_of(owner->class) << IO_BLOCK_SHIFT |
                        owner->class << IO_BLOCK_CLASS_SHIFT;
        event->object = owner->file == 0 || !block_class_is_reusable(owner->class)
                            ? object_of_block_class(mapping, owner->class, error)
                            : object_of_named_file(mapping, owner, error);
    }
    return owner->word == IO_EVIDENCE_NONE || event->object != 0;
}

/* Sets object and flags of an I/O to those of its first part. If there are several parts, writes
 * all of them to table io_part. */
static bool set_parts(struct mapping *mapping, const struct io_part *parts, size_t count,
                      const struct event_change *unmapped, struct error *error) {
    for (size_t i = 0; i < count; i++) {
        struct event_change part = *unmapped;

        if (!set_owner(mapping, &parts[i].evidence, &part, error) ||
            (i == 0 && !annotation_set(mapping->annotation, &part, error)) ||
            (count > 1 && !database_insert(mapping->annotation->store.database, error,
                                           mapping->insert_part, "iioii", part.id, (int64_t)i,
                                           part.object == 0 ? EVENT_NONE : (int64_t)part.object,
                                           (int64_t)part.flags, parts[i].bytes))) {
            return false;
        }
    }
    return true;
}

static bool write_owners_of_io(struct mapping *mapping, const struct owned_io *owned,
                               const struct io_part *parts, struct error *error) {
    const struct io_lookup *io = owned->io;
    struct event_change event = {.id = io->id, .flags = flags_without_map(io->flags)};
    bool was_mapped = event.flags != io->flags;

    event.object = was_mapped ? mapping->nobody : io->object;
    if (owned->count == 0) {
        count_io(mapping, io, &mapping->counts->outside);
        return !was_mapped || annotation_set(mapping->annotation, &event, error);
    }
    count_io(mapping, io, &mapping->counts->ios[parts[0].evidence.word]);
    if (parts[0].evidence.by_log) {
        count_io(mapping, io, &mapping->counts->by_log);
    }
    if (owned->files > 1) {
        count_io(mapping, io, &mapping->counts->several);
    }
    if (owned->too_large) {
        count_io(mapping, io, &mapping->counts->too_large);
    }
    return set_parts(mapping, parts, owned->count, &event, error);
}

/* --- reading the I/Os of a trace -------------------------------------------------------------- */

/* Returns whether to look up an event's blocks: an I/O on the device, without a file in the log. */
static bool is_asked(const struct mapping *mapping, const struct event_columns *columns, size_t i) {
    return columns->address[i] >= 0 && columns->size[i] > 0 &&
           io_class_of(columns->flags[i]) != IO_FLUSH &&
           !mapping_is_named(mapping, columns->object[i]) &&
           (mapping->place.device == EVENT_NONE ||
            devices_find(&mapping->devices, columns->object[i]) == mapping->place.device);
}

/* Returns the issue time of an I/O, else its time. Blocks may change owner before completion. */
static int64_t io_issue_time(const struct event_columns *columns, size_t i) {
    int64_t time = columns->time[i], duration = columns->duration[i];

    /* A database made by another program may have any numbers, so avoids an overflow. */
    return duration < 0 || time < INT64_MIN + duration ? time : time - duration;
}

static bool collect_ios(void *context, const struct event_columns *columns, size_t count,
                        struct error *error) {
    struct mapping *mapping = context;

    for (size_t i = 0; i < count; i++) {
        if (is_asked(mapping, columns, i)) {
            mapping->reading[mapping->count++] = (struct io_lookup){
                .id = columns->id[i],
                .time = columns->time[i],
                .issued = io_issue_time(columns, i),
                .address = columns->address[i],
                .size = columns->size[i],
                .operation = columns->operation[i],
                .object = columns->object[i],
                .flags = columns->flags[i],
            };
        }
    }
    return true;
}

/* Reads up to MAPPED_AT_ONCE events, from id `first` on. */
static bool read_next_ios(struct mapping *mapping, int64_t first, struct error *error) {
    const struct catalog_trace *trace = mapping->annotation->trace;
    const struct event_scan scan = {
        .database = mapping->annotation->store.database,
        .trace = trace->id,
        .first = first,
        .last = trace->last_event - first < MAPPED_AT_ONCE ? trace->last_event
                                                           : first + MAPPED_AT_ONCE - 1,
        .action = EVENT_NONE,
        .fields = EVENT_DURATION | EVENT_OPERATION | EVENT_OBJECT | EVENT_FLAGS | EVENT_ADDRESS |
                  EVENT_SIZE,
        .visit = collect_ios,
    };

    mapping->count = 0;
    return event_scan_in_order(&scan, mapping, error);
}

/* Writes the found owners of I/Os into the events. */
static bool write_mapped_ios(struct mapping *mapping, struct error *error) {
    const struct io_owner_batch *lot;

    while ((lot = io_owners_receive(mapping->owners)) != NULL) {
        for (size_t i = 0; i < lot->count; i++) {
            if (!write_owners_of_io(mapping, &lot->ios[i], lot->parts + lot->ios[i].first, error)) {
                return false;
            }
        }
    }
    return true;
}

/* Looks up I/Os in a thread, while the next ones are read from the database. */
static bool map_ios_of_trace(struct mapping *mapping, struct error *error) {
    const struct catalog_trace *trace = mapping->annotation->trace;
    bool done =
        trace->last_event < trace->first_event || read_next_ios(mapping, trace->first_event, error);

    for (int64_t first = trace->first_event; done && first <= trace->last_event;) {
        io_owners_send(mapping->owners, mapping->reading, mapping->count);
        mapping->reading = mapping->ios[mapping->reading == mapping->ios[0]];
        first += MAPPED_AT_ONCE;
        done = (first > trace->last_event || read_next_ios(mapping, first, error)) &&
               write_mapped_ios(mapping, error);
    }
    return done;
}

/* Passes all writes of the trace to commits_record_write(), from the last event to the first. */
static bool record_all_writes(struct mapping *mapping, struct error *error) {
    const struct catalog_trace *trace = mapping->annotation->trace;
    int64_t parts = trace->last_event < trace->first_event
                        ? 0
                        : (trace->last_event - trace->first_event) / MAPPED_AT_ONCE + 1;

    for (int64_t part = parts - 1; part >= 0 && mapping->map->transaction_count > 0; part--) {
        if (!read_next_ios(mapping, trace->first_event + part * MAPPED_AT_ONCE, error)) {
            return false;
        }
        for (size_t i = mapping->count; i > 0; i--) {
            /* Any write may be the commit of a journal transaction. */
            const struct io_lookup *io = &mapping->reading[i - 1];
            struct io_block_range place;

            if (io_lookup_is_write(io) &&
                (mapping->action == EVENT_NONE || (int64_t)io->operation == mapping->action) &&
                io_block_range_find(&place, &mapping->place, mapping->map, io)) {
                commits_record_write(&mapping->commits, place.last, io->time);
            }
        }
    }
    return true;
}

/* --- what the command `map` reports ----------------------------------------------------------- */

static bool mapping_find_place(struct mapping *mapping, struct error *error) {
    const struct device_request request = {mapping->request->device, mapping->request->offset,
                                           mapping->request->by_remaps};
    struct annotation *annotation = mapping->annotation;
    bool done = filesystem_location_find(&mapping->place, &request, annotation->store.database,
                                         annotation->trace, error);

    mapping->counts->above = mapping->place.from;
    mapping->counts->below = mapping->place.device;
    /* EVENT_NONE if the file system is in several pieces, or begins before the device. */
    mapping->counts->place = mapping->place.count == 1 && mapping->place.pieces[0].shift >= 0
                                 ? mapping->place.pieces[0].shift * IO_SECTOR
                                 : EVENT_NONE;
    return done;
}

/* Finds the object that the import gave to I/Os without a file; if no owner is found, it stays. */
static bool find_nobody(struct mapping *mapping, struct error *error) {
    struct database_query query = database_query(
        mapping->annotation->store.database, error,
        "SELECT min(id) FROM main.object WHERE trace = ?1 AND name IS NULL AND inode IS NULL"
        " AND device IS ?2 AND ifnull(substr(type, 1, 1), '') <> '['",
        "io", mapping->annotation->trace->id, mapping->place.device);

    if (database_next(&query)) {
        mapping->nobody = (uint32_t)sqlite3_column_int64(query.row, 0);
    }
    return database_end(&query);
}

/* Reads the log's allocation records for the file system's device, or the one above it. */
static bool read_log(struct mapping *mapping, struct error *error) {
    struct database *database = mapping->annotation->store.database;
    const struct catalog_trace *trace = mapping->annotation->trace;
    const int64_t devices[2] = {mapping->place.device, mapping->place.from == EVENT_NONE
                                                           ? mapping->place.device
                                                           : mapping->place.from};

    if (!allocations_read(&mapping->log, mapping->map, database, trace->id, devices, error) ||
        !allocations_sort(&mapping->log, mapping->map, error)) {
        return false;
    }
    mapping->counts->log_left_out = mapping->log.too_many;
    return mapping->log.whole || mapping->log.too_many ||
           database_query_integer(database,
                                  "SELECT min(device) FROM main.allocation"
                                  " WHERE trace = ?1 AND what = 'data'",
                                  trace->id, EVENT_NONE, &mapping->counts->unused, error);
}

static bool mapping_check_trace(struct mapping *mapping, struct error *error) {
    const struct catalog_trace *trace = mapping->annotation->trace;
    const struct catalog_meaning *sectors = catalog_meaning(trace, "address", "sector");
    int64_t maps;

    if (trace->kind != TRACE_IO || sectors == NULL || strcmp(sectors->unit, "512 bytes") != 0) {
        return error_set(error, "trace %s has no I/Os with sectors of 512 bytes", trace->name);
    }
    if (!database_query_integer(mapping->annotation->store.database,
                                "SELECT count(*) FROM main.map WHERE trace = ?1", trace->id, 0,
                                &maps, error)) {
        return false;
    }
    return maps == 0 || mapping->request->replace ||
           error_set(error, "trace %s is mapped already; --replace maps it again", trace->name);
}

/* Writes a remark if the log's allocations were not used. Deletes the remark of an earlier
 * `tracetool map`. */
static bool mapping_write_remark(const struct mapping *mapping, struct error *error) {
    static const char left_out[] = "map: the log has too many allocation events, so they are "
                                   "ignored: files come from the image and the journal only";
    struct database *database = mapping->annotation->store.database;
    int64_t trace = mapping->annotation->trace->id;

    return database_run_bound(database, error,
                              "DELETE FROM main.remark WHERE trace = ?1 AND text = ?2", "is", trace,
                              left_out) &&
           (!mapping->counts->log_left_out ||
            database_run_bound(database, error,
                               "INSERT INTO main.remark SELECT ?1, ifnull(max(number), 0) + 1, ?2"
                               " FROM main.remark WHERE trace = ?1",
                               "is", trace, left_out));
}

static bool write_map(const struct mapping *mapping, struct error *error) {
    struct database *database = mapping->annotation->store.database;
    const int64_t *ios = mapping->counts->ios;
    char uuid[FILE_MAP_UUID];

    file_map_uuid(mapping->map, uuid);
    return database_run_bound(database, error, "DELETE FROM main.map WHERE trace = ?1", "i",
                              mapping->annotation->trace->id) &&
           /* Stores in table `meaning` that objects of this trace are files, since reports by file
              require it. */
           database_run_bound(database, error,
                              "INSERT OR IGNORE INTO main.meaning"
                              " VALUES (?1, 'object', '', 'file', '')",
                              "i", mapping->annotation->trace->id) &&
           database_run_bound(database, error,
                              "DELETE FROM main.meaning WHERE trace = ?1 AND \"column\" = ''"
                              " AND what IN (?2 || ?3, ?2 || ?4, ?2 || ?5)",
                              "issss", mapping->annotation->trace->id, FACT_UNKNOWN,
                              fact_words(FACT_FILES), fact_words(FACT_FILE_TYPES),
                              fact_words(FACT_BLOCK_TYPES)) &&
           database_run_bound(
               database, error,
               "INSERT INTO main.map VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
               " ?11, ?12, ?13, ?14, ?15)",
               "issoooiiiiiiisi", mapping->annotation->trace->id, mapping->request->image, uuid,
               mapping->place.device, mapping->counts->place, mapping->counts->horizon,
               mapping->counts->transactions, ios[IO_EVIDENCE_IMAGE] + ios[IO_EVIDENCE_BOTH_IMAGES],
               ios[IO_EVIDENCE_JOURNAL] + ios[IO_EVIDENCE_JOURNAL_OVER_IMAGE],
               ios[IO_EVIDENCE_LIKELY_IMAGE] + ios[IO_EVIDENCE_LIKELY_JOURNAL],
               ios[IO_EVIDENCE_NONE], mapping->counts->several, mapping->counts->outside,
               mapping->request->before, mapping->request->journals);
}

/* Deletes objects of an earlier `tracetool map` that no event refers to. */
static bool delete_unused_files(const struct mapping *mapping, struct error *error) {
    const struct catalog_trace *trace = mapping->annotation->trace;

    return !mapping->request->replace ||
           database_run_bound(mapping->annotation->store.database, error,
                              "DELETE FROM main.object WHERE trace = ?1"
                              " AND (inode NOT NULL OR (name IS NULL AND substr(type, 1, 1) = '['))"
                              " AND id NOT IN (SELECT object FROM main.event"
                              " WHERE id BETWEEN ?2 AND ?3 AND object NOT NULL)"
                              " AND id NOT IN (SELECT object FROM main.io_part"
                              " WHERE event BETWEEN ?2 AND ?3 AND object NOT NULL)",
                              "iii", trace->id, trace->first_event, trace->last_event);
}

/* Deletes the parts of I/Os written by an earlier `tracetool map`, and prepares their INSERT. */
static bool prepare_parts(struct mapping *mapping, struct error *error) {
    struct database *database = mapping->annotation->store.database;
    const struct catalog_trace *trace = mapping->annotation->trace;

    mapping->insert_part =
        database_prepare(database, "INSERT INTO main.io_part VALUES (?1, ?2, ?3, ?4, ?5)", error);
    return mapping->insert_part != NULL &&
           database_run_bound(database, error,
                              "DELETE FROM main.io_part WHERE event BETWEEN ?1 AND ?2", "ii",
                              trace->first_event, trace->last_event);
}

static bool mapping_prepare(struct mapping *mapping, struct error *error) {
    struct annotation *annotation = mapping->annotation;
    struct database *database = annotation->store.database;
    struct notes notes = {0};
    bool done =
        mapping_check_trace(mapping, error) && mapping_find_place(mapping, error) &&
        find_nobody(mapping, error) && read_named(mapping, error) &&
        devices_read(&mapping->devices, database, annotation->trace->id, error) &&
        prepare_parts(mapping, error) &&
        counted_action_find(database, annotation->trace, NULL, &mapping->action, &notes, error) &&
        read_log(mapping, error);

    notes_free(&notes);
    if (!done || !file_types_init(&mapping->types, annotation->config, error)) {
        return false;
    }
    mapping->files = xcalloc(mapping->map->files.count + 1, sizeof *mapping->files);
    mapping->ios[0] = mapping->reading = xmalloc(MAPPED_AT_ONCE * sizeof *mapping->ios[0]);
    mapping->ios[1] = xmalloc(MAPPED_AT_ONCE * sizeof *mapping->ios[1]);
    commits_open(&mapping->commits, mapping->map);
    return true;
}

/* Finds the transactions' commit times. If no commit is in the trace, the journal is not used. */
static void find_commit_times(struct mapping *mapping) {
    int64_t horizon;

    commits_compute_times(&mapping->commits);
    horizon = commits_oldest_time(&mapping->commits);
    mapping->counts->transactions = (int64_t)mapping->commits.timed;
    if (horizon != INT64_MAX) {
        mapping->counts->horizon =
            horizon == INT64_MIN ? mapping->annotation->trace->first_time : horizon;
    }
}

bool map_ios_to_files(struct annotation *annotation, const struct mapping_request *request,
                      struct file_map *map, struct mapping_counts *counts, struct error *error) {
    struct mapping mapping = {
        .annotation = annotation, .request = request, .map = map, .counts = counts};
    bool done;

    *counts = (struct mapping_counts){.unused = EVENT_NONE, .horizon = EVENT_NONE};
    done = mapping_prepare(&mapping, error) && record_all_writes(&mapping, error) &&
           annotation_declare(annotation, EVENT_OBJECT | EVENT_FLAGS, MAP_SETS, error);
    if (done) {
        const struct owner_sources sources = {map, request->earlier, &mapping.commits,
                                              mapping.log.whole ? &mapping.log : NULL};

        find_commit_times(&mapping);
        mapping.owners = io_owners_new(&sources, &mapping.place);
        done = map_ios_of_trace(&mapping, error) && annotation_flush(annotation, error) &&
               delete_unused_files(&mapping, error) && write_map(&mapping, error) &&
               mapping_write_remark(&mapping, error);
    }
    io_owners_free(mapping.owners);
    devices_free(&mapping.devices);
    file_types_free(&mapping.types);
    free(mapping.named);
    free(mapping.files);
    free(mapping.ios[0]);
    free(mapping.ios[1]);
    sqlite3_finalize(mapping.insert_part);
    commits_close(&mapping.commits);
    allocations_free(&mapping.log);
    file_map_remove_unnamed_files(mapping.map);
    text_free(&mapping.path);
    return done;
}

/* tracetool map: which file was it? */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/recount.h"
#include "annotate/mapping.h"
#include "cli/command.h"
#include "cli/selection_options.h"
#include "filesystem/image.h"
#include "filesystem/place.h"
#include "select/remarks.h"

/* What --image or --list, --partition and --offset say. */
static bool read_request(const struct session *session, const char *path,
                         struct image_request *request, struct error *error) {
    const char *offset = session->arguments->values[OPTION_OFFSET];

    *request = (struct image_request){
        .path = path,
        .partition = session->arguments->values[OPTION_PARTITION],
        .offset = PLACE_NOT_GIVEN,
    };
    if (offset == NULL) {
        return true;
    }
    if (request->partition != NULL) {
        return error_set_status(error, EXIT_USAGE,
                                "--offset and --partition both say where the file system is");
    }
    if (strspn(offset, "0123456789") != strlen(offset) || *offset == '\0' || strlen(offset) > 18) {
        return error_set_status(error, EXIT_USAGE, "--offset needs a number of bytes, not '%s'",
                                offset);
    }
    request->offset = strtoull(offset, NULL, 10);
    return true;
}

/* --- --list -------------------------------------------------------------------------------------
 */

static const struct column list_columns[] = {
    {"start", "", COLUMN_NUMBER}, {"blocks", "", COLUMN_INTEGER}, {"class", "", COLUMN_TEXT},
    {"inode", "", COLUMN_NUMBER}, {"path", "", COLUMN_TEXT},
};

#define LIST_COLUMNS (sizeof list_columns / sizeof list_columns[0])

static bool print_extent(struct printer *printer, const struct file_map *map,
                         const struct map_extent *extent, struct text *path, struct error *error) {
    const char *class = block_class_name(extent->class);
    struct value values[LIST_COLUMNS] = {
        {.type = VALUE_INTEGER, .integer = (int64_t)extent->start},
        {.type = VALUE_INTEGER, .integer = extent->length},
        {.type = VALUE_TEXT, .bytes = class, .length = strlen(class)},
    };

    if (extent->file != 0) {
        text_clear(path);
        file_map_path(map, extent->file, path);
        if (path->failed) {
            return error_no_memory(error);
        }
        values[3] =
            (struct value){.type = VALUE_INTEGER, .integer = map->files.items[extent->file].inode};
        values[4] =
            (struct value){.type = VALUE_TEXT, .bytes = path->bytes, .length = path->length};
    }
    return printer_row(printer, values, error);
}

static bool describe(const struct file_map *map, struct remarks *remarks, struct error *error) {
    char uuid[FILE_MAP_UUID];

    file_map_uuid(map, uuid);
    return remarks_add(remarks, error,
                       "file system %s of %" PRIu64 " blocks of %u bytes, from byte %" PRIu64
                       " of the image",
                       uuid, map->blocks, (unsigned)map->block_size, map->offset) &&
           (map->disputed == 0 ||
            remarks_add(remarks, error,
                        "%" PRIu64 " times several own one block: it is of the first by inode",
                        map->disputed)) &&
           (map->unreadable == 0 ||
            remarks_add(remarks, error,
                        "%" PRIu64 " inodes or directories are damaged: what they own is missing",
                        map->unreadable));
}

static bool print_map(struct printer *printer, void *context, struct error *error) {
    const struct file_map *map = context;
    struct remarks remarks = {0};
    struct text path = {0};
    struct result result = {
        .report = "map",
        .title = "Blocks and whose they are",
        .clock_unit = "ns",
        .columns = list_columns,
        .column_count = LIST_COLUMNS,
        .cut = "path",
    };
    bool done = describe(map, &remarks, error);

    result.remarks = (const char *const *)remarks.lines;
    result.remark_count = remarks.count;
    done = done && printer_begin(printer, &result, error);
    for (size_t i = 0; done && i < map->extents.count; i++) {
        done = print_extent(printer, map, &map->extents.items[i], &path, error);
    }
    done = done && printer_end(printer, error);
    text_free(&path);
    remarks_free(&remarks);
    return done;
}

static bool list_image(struct session *session, struct error *error) {
    const char *path = session->arguments->values[OPTION_LIST];
    struct image_request request;
    struct file_map map = {0};
    bool done = read_request(session, path, &request, error) && image_read(&request, &map, error) &&
                session_print(session, false, print_map, &map, error);

    file_map_free(&map);
    return done;
}

/* --- a trace ------------------------------------------------------------------------------------
 */

static void say_counts(const struct session *session, const char *trace,
                       const struct mapping_counts *counts) {
    const int64_t *ios = counts->ios;

    int64_t proven = ios[IO_EVIDENCE_IMAGE] + ios[IO_EVIDENCE_BOTH_IMAGES],
            journal = ios[IO_EVIDENCE_JOURNAL] + ios[IO_EVIDENCE_JOURNAL_OVER_IMAGE],
            likely = ios[IO_EVIDENCE_LIKELY_IMAGE] + ios[IO_EVIDENCE_LIKELY_JOURNAL];

    session_say(session,
                "%s: %lld I/Os mapped for certain, %lld by the journal, %lld likely, %lld not",
                trace, (long long)proven, (long long)journal, (long long)likely,
                (long long)ios[IO_EVIDENCE_NONE]);
    if (counts->several > 0) {
        session_say(session,
                    "%s: %lld of these are on several files: each is of that with most "
                    "blocks",
                    trace, (long long)counts->several);
    }
    if (counts->too_large > 0) {
        session_say(session,
                    "%s: %lld I/Os are larger than %d blocks: whose these are was not looked up",
                    trace, (long long)counts->too_large, MAPPING_BLOCKS);
    }
    if (counts->outside > 0) {
        session_say(session, "%s: %lld I/Os are outside the file system", trace,
                    (long long)counts->outside);
    }
}

/* One transaction, which is given up with --dry-run. */
static bool annotate_map(struct session *session, struct database *database,
                         const struct mapping_request *request, const struct file_map *map,
                         struct error *error) {
    const char *trace = session->arguments->words[0];
    struct mapping_counts counts;
    struct annotation annotation;
    bool done;

    if (!recount_register(database, &session->config, error) ||
        !annotation_open(&annotation, database, &session->config, trace, error)) {
        return false;
    }
    done = map_trace(&annotation, request, map, &counts, error) &&
           (session->arguments->given[OPTION_DRY_RUN] || annotation_commit(&annotation, error));
    annotation_close(&annotation);
    if (done) {
        say_counts(session, trace, &counts);
    }
    return done;
}

static bool map_by_image(struct session *session, const struct image_request *image,
                         struct error *error) {
    struct mapping_request request = {
        .image = image->path,
        .device = EVENT_NONE,
        .replace = session->arguments->given[OPTION_REPLACE],
    };
    struct file_map map = {0};
    struct database database;
    bool done =
        selection_device(session->arguments->values[OPTION_DEVICE], &request.device, error) &&
        image_read(image, &map, error);

    /* What is said to be the place on the device is that, wherever it is in the image. */
    request.offset = image->offset != PLACE_NOT_GIVEN ? image->offset : map.offset;
    if (done) {
        done = session_open(session, &database, DATABASE_WRITE, error);
        done =
            done && session_close(session, &database,
                                  annotate_map(session, &database, &request, &map, error), error);
    }
    file_map_free(&map);
    return done;
}

bool command_map(struct session *session, struct error *error) {
    const char *path = session->arguments->values[OPTION_IMAGE];
    struct image_request request;

    if (session->arguments->given[OPTION_LIST]) {
        return path == NULL && session->arguments->word_count == 0
                   ? list_image(session, error)
                   : error_set_status(error, EXIT_USAGE, "--list IMAGE stands alone");
    }
    if (path == NULL || session->arguments->word_count == 0) {
        return error_set_status(error, EXIT_USAGE, "map needs TRACE --image FILE, or --list IMAGE");
    }
    if (!read_request(session, path, &request, error)) {
        return false;
    }
    request.of_device = true;
    return map_by_image(session, &request, error);
}

/* Targets that are no importers: other code that reads untrusted bytes. */
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "declared.h"
#include "dwtrace_settings.h"
#include "rmp_settings.h"
#include "input/members.h"
#include "input/reader.h"
#include "base/memory.h"
#include "output/svg_shorten.h"
#include "palm_database.h"
#include "report/query.h"
#include "report/query_text.h"
#include "target.h"

/* --- the configuration, and so the YAML reader ------------------------------------------------ */

/* Makes the lookups of importers and reports in a configuration. */
static void use_config(const struct config *config) {
    struct text name = {0};

    config_application_name(config, 1, 0x12345);
    dwtrace_component_name(config, 1);
    dwtrace_function_name(config, 1, 1, &name);
    text_free(&name);
    rmp_settings(config);
    config_module_of_name(config, "libc.so", 7);
}

static void run_config(const uint8_t *bytes, size_t length) {
    const char *path = target_file(bytes, length);
    struct config config = {0};
    struct error error = {0};

    if (config_read(path, &config, &error)) {
        use_config(&config);
        config_free(&config);
        target_did("config");
    } else {
        target_check_message(false, &error);
    }
}

static void run_symbols(const uint8_t *bytes, size_t length) {
    const char *path = target_file(bytes, length);
    struct config config = {0};

    for (int i = 0; i < 2; i++) {
        struct error error = {0};
        bool done = config_add_symbols(&config, path, &error);

        target_check_message(done, &error);
        if (done) {
            target_did(i == 0 ? "symbols" : "symbols again");
        }
        use_config(&config);
    }
    config_free(&config);
}

/* --- the PDB container --------------------------------------------------------------------- */

/* Every record with a good offset must be in the file, after the previous one. */
static void check_places(const struct palm_database *database, const struct reader *reader,
                         size_t length) {
    int64_t end = 0;

    for (uint16_t i = 0; i < database->listed && database->records != NULL; i++) {
        const struct palm_record *record = &database->records[i];

        if (!record->good) {
            continue;
        }
        if (record->offset < end || record->offset >= length) {
            target_failed("record %u is said to be good and begins at %u", i, record->offset);
        }
        end = palm_database_record_end(database, i, reader);
        if (end < record->offset || end > (int64_t)length) {
            target_failed("record %u ends at %lld", i, (long long)end);
        }
    }
}

static void run_pdb(const uint8_t *bytes, size_t length) {
    struct palm_database database = {0};
    struct error error = {0};
    struct input *input = input_open(target_file(bytes, length), (struct input_stop){0}, &error);
    struct reader reader = {0};

    palm_database_sniff(bytes, length, true);
    palm_database_sniff(bytes, length / 2, false);
    /* Compressed files are for the target `input`. */
    if (input != NULL && input_packing(input)[0] == '\0' && reader_init(&reader, input, &error)) {
        bool done = palm_database_read(&database, &reader, &error);

        target_check_message(done, &error);
        if (done) {
            check_places(&database, &reader, length);
            target_did("pdb");
            palm_database_free(&database);
        }
    }
    reader_free(&reader);
    input_close(input);
}

/* --- the header of a query file -------------------------------------------------------------- */

/* Parses a query file, or one part of it. */
static bool parse_query(const char *text, const struct query_part *part) {
    struct query query;
    struct error error = {0};
    bool done = query_parse(&query, "fuzz.sql", text, NULL, part, &error);

    target_check_message(done, &error);
    if (done) {
        if (query.report == NULL || query.sql == NULL || query.column_count > QUERY_COLUMNS ||
            query.remark_count > QUERY_REMARKS) {
            target_failed("a query without report or statement, or with too much");
        }
        query_free(&query);
    }
    return done;
}

static void run_query(const uint8_t *bytes, size_t length) {
    char *text = xmalloc(length + 1);
    struct query_part parts[QUERY_PARTS];
    struct error error = {0};
    size_t count = 0;
    bool done;

    memcpy(text, bytes, length);
    text[length] = '\0';
    done = query_text_parts(text, parts, &count, &error);
    target_check_message(done, &error);
    for (size_t i = 0; done && i < count; i++) {
        done = parse_query(text, &parts[i]);
    }
    if (done && (count > 0 || parse_query(text, NULL))) {
        target_did("query");
    }
    free(text);
}

/* --- declared formats ------------------------------------------------------------------------
 */

/* The first line is an expression; each other line is matched with it. */
static void run_expression(const uint8_t *bytes, size_t length) {
    struct word rest = {(const char *)bytes, length};
    struct word first = word_field(&rest, '\n');
    char *pattern = strndup(first.bytes, first.length);
    struct text why = {0};
    struct expression *expression = pattern == NULL ? NULL : expression_compile(pattern, &why);
    struct expression_match *match = expression == NULL ? NULL : expression_match_new(expression);

    if (pattern != NULL && expression == NULL && why.length == 0) {
        target_failed("an expression is refused without a cause");
    }
    while (match != NULL && rest.length > 0) {
        struct word line = word_field(&rest, '\n'), fields[EXPRESSION_GROUPS];

        if (expression_run(expression, match, line, fields) != EXPRESSION_FITS) {
            continue;
        }
        for (size_t i = 0; i < expression_groups(expression); i++) {
            if (fields[i].bytes < line.bytes ||
                fields[i].bytes + fields[i].length > line.bytes + line.length) {
                target_failed("a group lies outside of the line");
            }
        }
        target_did("expression");
    }
    expression_match_free(match);
    expression_free(expression);
    text_free(&why);
    free(pattern);
}

/* Parses lines by all formats that a configuration declares. */
static void parse_lines(const struct config *config, struct word text) {
    const struct importer *importer;

    for (size_t i = 0; (importer = importer_declared(config, i)) != NULL; i++) {
        struct word rest = text, header = text;
        struct declared_splitter splitter;

        if (declared_splitter_open(&splitter, importer->declaration, word_field(&header, '\n')) ==
            NULL) {
            while (rest.length > 0) {
                struct word record = word_field(&rest, '\n');
                struct declared_line line;
                const char *damage;

                if (!declared_store_carried(&splitter, record, &damage) &&
                    declared_parse(&splitter, record, &line) == NULL) {
                    target_did("declared");
                }
            }
        }
        declared_splitter_close(&splitter);
    }
}

/* The input: a configuration up to YAML's line `...`, then lines of a log. */
static void run_declared(const uint8_t *bytes, size_t length) {
    static const char end[] = "\n...\n";
    const uint8_t *found = memmem(bytes, length, end, strlen(end));
    size_t yaml = found == NULL ? length : (size_t)(found - bytes) + 1;
    struct config config;
    struct error error = {0};
    bool done = config_read(target_file(bytes, yaml), &config, &error);

    target_check_message(done, &error);
    if (done) {
        if (found != NULL) {
            found += strlen(end);
            parse_lines(&config,
                        (struct word){(const char *)found, length - (size_t)(found - bytes)});
        }
        config_free(&config);
    }
}

/* --- unpacking ------------------------------------------------------------------------------- */

/* A few compressed bytes may become gigabytes: no more than this is read. */
#define UNPACKED_LIMIT ((int64_t)8 << 20)

/* Reads the stream in pieces of uneven size. Returns its length, or -1 if it cannot be read. */
static int64_t read_pieces(const char *path) {
    static uint8_t buffer[70000];
    struct error error = {0};
    struct input *input = input_open(path, (struct input_stop){0}, &error);
    size_t capacity = 1, got = 1;
    char hash[INPUT_HASH_SIZE];
    int64_t total = 0;
    bool done = input != NULL;

    while (done && got > 0 && total < UNPACKED_LIMIT) {
        done = input_read(input, buffer, capacity, &got, &error);
        total += (int64_t)got;
        capacity = capacity * 7 % sizeof buffer + 1;
    }
    target_check_message(done, &error);
    if (done && input_bytes_read(input) != total) {
        target_failed("bytes read: %lld, not %lld", (long long)input_bytes_read(input),
                      (long long)total);
    }
    if (input != NULL) {
        input_hash(input, hash);
    }
    input_close(input);
    return done ? total : -1;
}

/* Reads the stream in lines, which must have every byte of it. */
static int64_t read_lines(const char *path) {
    struct error error = {0};
    struct input *input = input_open(path, (struct input_stop){0}, &error);
    struct reader reader = {0};
    int64_t offset, before = -1;
    const char *line;
    size_t length;
    bool done = input != NULL && reader_init(&reader, input, &error);

    while (done && reader_offset(&reader) < UNPACKED_LIMIT &&
           reader_line(&reader, &line, &length, &offset) != READER_END) {
        if (offset <= before) {
            target_failed("a line begins at %lld, behind %lld", (long long)offset,
                          (long long)before);
        }
        before = offset;
    }
    done = done && !reader_failed(&reader);
    target_check_message(done, &error);
    offset = done ? reader_offset(&reader) : -1;
    reader_free(&reader);
    input_close(input);
    return offset;
}

/* Cancels after a number of calls; there is a call for every 64 KiB at most. */
static bool is_used_up(const void *context) {
    int *left = (int *)(uintptr_t)context;

    return (*left)-- == 0;
}

/* Reads each file of an archive, by its path. */
static void read_members(const char *path) {
    int left = UNPACKED_LIMIT >> 16;
    struct error error = {0};
    char **paths;
    size_t count;
    bool done =
        members_unpack(path, (struct input_stop){is_used_up, &left}, &paths, &count, &error);

    target_check_message(done, &error);
    for (size_t i = 0; i < count; i++) {
        if (member_find(paths[i]) == NULL || (i > 0 && strcmp(paths[i - 1], paths[i]) >= 0)) {
            target_failed("member %zu of %zu is unknown or out of order", i, count);
        }
        read_pieces(paths[i]);
        target_did("member");
        free(paths[i]);
    }
    free(paths);
    members_free();
}

static void run_input(const uint8_t *bytes, size_t length) {
    const char *path = target_file(bytes, length);
    int64_t pieces = read_pieces(path), lines = read_lines(path);

    read_members(path);

    if (pieces >= 0) {
        target_did("pieces");
    }
    if (lines >= 0) {
        target_did("lines");
    }
    /* If one stops early, the other may have read on to the damage. */
    if (pieces >= 0 && lines >= 0 && pieces != lines && pieces < UNPACKED_LIMIT &&
        lines < UNPACKED_LIMIT) {
        target_failed("%lld bytes in pieces, %lld in lines", (long long)pieces, (long long)lines);
    }
}

/* --- pictures in a page ------------------------------------------------------------------------
 */

static void run_svg(const uint8_t *bytes, size_t length) {
    struct text svg = {0}, out = {0};

    text_append(&svg, (const char *)bytes, length);
    if (svg_shorten(text_string(&svg), &out)) {
        target_did("svg");
    }
    text_free(&svg);
    text_free(&out);
}

/* --- imports with detection of the format
 * ---------------------------------------------------------
 */

static void run_detect(const uint8_t *bytes, size_t length) {
    importer_target(NULL, false, bytes, length);
}

static void run_append(const uint8_t *bytes, size_t length) {
    importer_target(NULL, true, bytes, length);
}

const struct target part_targets[] = {
    {"config", run_config},
    {"symbols", run_symbols},
    {"pdb", run_pdb},
    {"query", run_query},
    {"input", run_input},
    {"detect", run_detect},
    {"append", run_append},
    {"database", database_target},
    {"image", image_target},
    {"journal", journal_target},
    {"expression", run_expression},
    {"declaration", run_declared},
    {"svg", run_svg},
    {"store", store_target},
    {NULL, NULL},
};

#include "report/query_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/resource.h"
#include "base/memory.h"

const struct include_style include_queries = {"-- include:", ".sql", query_include_resources};
const struct include_style include_plots = {"# include:", ".gp", plot_include_resources};

char *query_text_read(const char *directory, const char *name, const char *ending,
                      struct error *error) {
    struct text path = {0};
    char *content = NULL;
    FILE *file;
    size_t length;

    text_append_format(&path, "%s/%s%s", directory, name, ending);
    file = file_open_stream(text_string(&path));
    if (file != NULL) {
        content = xmalloc(QUERY_FILE_LIMIT + 1);
        length = fread(content, 1, QUERY_FILE_LIMIT + 1, file);
        if (ferror(file) || length > QUERY_FILE_LIMIT) {
            error_set(error, "%s: cannot be read, or is larger than 1 MiB", text_string(&path));
            free(content);
            content = NULL;
        } else {
            content[length] = '\0';
        }
    }
    if (file != NULL) {
        fclose(file);
    } else if (errno != ENOENT) {
        error_set(error, "%s: %s", text_string(&path), file_strerror(errno));
    }
    text_free(&path);
    return content;
}

/* A file whose includes are being expanded, and the file that includes it. */
struct layer {
    const struct layer *outer; /* file that includes this one; NULL: none */
    const char *name;          /* name in the include line; NULL: no file includes this one */
    const char *file;          /* file name, for messages */
    size_t depth;
};

struct expansion {
    struct query_text *expanded;
    const struct include_style *style;
    const char *directory;
    const char *part; /* part (query of the file) whose lines are included; NULL: all lines */
    size_t *includes; /* number of includes expanded so far */
    struct error *error;
};

static void add_piece(const struct expansion *expansion, const char *file, size_t line) {
    struct query_text *expanded = expansion->expanded;

    expanded->pieces =
        xreallocarray(expanded->pieces, expanded->piece_count + 1, sizeof *expanded->pieces);
    expanded->pieces[expanded->piece_count++] =
        (struct query_piece){.at = expanded->text.length, .file = xstrdup(file), .line = line};
}

/* Records where the following lines are from: FILE:LINE, read from `place`; if that is empty, line
 * `line` of `file`. */
static void query_text_add_place(const struct expansion *expansion, const char *place,
                                 const char *file, size_t line) {
    size_t length = strcspn(place, "\n"), end = length;
    char *named;

    while (end > 0 && place[end - 1] != ':') {
        end--;
    }
    if (end == 0) {
        add_piece(expansion, file, line);
        return;
    }
    named = xstrndup(place, end - 1);
    add_piece(expansion, named, (size_t)strtoull(place + end, NULL, 10));
    free(named);
}

/* Returns whether a line is an include line; sets `name` to the included name, "" if invalid. */
static bool find_include(const struct expansion *expansion, const char *line, size_t length,
                         char *name) {
    const char *mark = expansion->style->mark;
    const char *end = line + length;
    size_t size;

    line += strspn(line, " ");
    if (strncmp(line, mark, strlen(mark)) != 0) {
        return false;
    }
    line += strlen(mark);
    line += strspn(line, " ");
    size = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
    if (size >= QUERY_INCLUDE_NAME || line + size + strspn(line + size, " \r") < end) {
        size = 0;
    }
    memcpy(name, line, size);
    name[size] = '\0';
    return true;
}

/* Returns whether a line is `-- by:` or `-- part:`; sets `*names` to the names after the colon. */
static bool query_text_find_parts(const char *line, const char **names, bool *is_by) {
    line += strspn(line, " ");
    *is_by = strncmp(line, "-- by: ", 7) == 0;
    *names = line + (*is_by ? 7 : 9);
    return *is_by || strncmp(line, "-- part: ", 9) == 0;
}

/* Moves `*names` to the next name in a line `-- by:` or `-- part:`; returns false at its end. */
static bool next_query_part(const char **names, size_t *length) {
    *names += *length;
    *names += strspn(*names, " ");
    *length = strcspn(*names, " \r\n");
    return *length > 0;
}

static bool query_text_is_name(const char *bytes, size_t length, const char *name) {
    return strlen(name) == length && memcmp(bytes, name, length) == 0;
}

/* Returns whether the `names` in a line `-- by:` or `-- part:` include the part (query) that is
 * expanded, or `all`. */
static bool query_text_takes_part(const struct expansion *expansion, const char *names) {
    for (size_t length = 0; next_query_part(&names, &length);) {
        if (query_text_is_name(names, length, "all") ||
            query_text_is_name(names, length, expansion->part)) {
            return true;
        }
    }
    return false;
}

/* Returns whether the header of a query file, the comments at its top, names parts (queries). */
static bool query_text_has_parts(const char *text) {
    const char *names;
    bool is_by;

    for (; strncmp(text, "--", 2) == 0; text += strcspn(text, "\n"), text += *text == '\n') {
        if (query_text_find_parts(text, &names, &is_by)) {
            return true;
        }
    }
    return false;
}

/* Adds the parts (queries) named in a line to the list of a file's parts, without duplicates. */
static bool query_text_add_parts(const char *names, bool is_by, struct query_part *parts,
                                 size_t *count, struct error *error) {
    for (size_t length = 0; next_query_part(&names, &length);) {
        size_t i = 0;

        while (i < *count && !query_text_is_name(names, length, parts[i].name)) {
            i++;
        }
        if (i < *count || query_text_is_name(names, length, "all")) {
            continue;
        }
        if (*count == QUERY_PARTS || length >= sizeof parts[0].name) {
            return error_set(error,
                             "more than %d parts, or the name of a part is longer than %zu bytes",
                             QUERY_PARTS, sizeof parts[0].name - 1);
        }
        parts[*count] = (struct query_part){.is_by = is_by};
        memcpy(parts[(*count)++].name, names, length);
    }
    return true;
}

bool query_text_parts(const char *line, struct query_part parts[QUERY_PARTS], size_t *count,
                      struct error *error) {
    const char *names;
    bool is_by;

    *count = 0;
    if (!query_text_has_parts(line)) {
        return true;
    }
    for (; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        if (query_text_find_parts(line, &names, &is_by) &&
            !query_text_add_parts(names, is_by, parts, count, error)) {
            return false;
        }
    }
    return true;
}

/* Returns the text of an included file, which the caller frees; NULL on failure. */
static char *query_text_find_text(const struct expansion *expansion, const char *name) {
    const struct include_style *style = expansion->style;
    const char *shipped = resource_find(style->resources, name);
    struct text path = {0};
    char *text = NULL;

    text_append_format(&path, "include/%s", name);
    if (expansion->directory != NULL) {
        text = query_text_read(expansion->directory, text_string(&path), style->ending,
                               expansion->error);
    }
    text_free(&path);
    if (text != NULL || expansion->error->status != EXIT_DONE) {
        return text;
    }
    if (shipped == NULL) {
        error_set(expansion->error, "there is no include/%s%s", name, style->ending);
        return NULL;
    }
    return xstrdup(shipped);
}

static bool expand_lines(const struct expansion *expansion, const struct layer *layer,
                         const char *text);

static bool include_file(const struct expansion *expansion, const struct layer *outer,
                         const char *name) {
    char file[QUERY_INCLUDE_NAME + 16];
    struct layer layer = {.outer = outer, .name = name, .file = file, .depth = outer->depth + 1};
    char *text;
    bool done;

    snprintf(file, sizeof file, "include/%s%s", name, expansion->style->ending);
    if (*name == '\0') {
        return error_set(expansion->error,
                         "'include' takes one name, of letters, digits, - and _, at most %d long",
                         QUERY_INCLUDE_NAME - 1);
    }
    for (const struct layer *above = outer; above->outer != NULL; above = above->outer) {
        if (strcmp(above->name, name) == 0) {
            return error_set(expansion->error, "%s includes itself", file);
        }
    }
    if (++*expansion->includes > QUERY_INCLUDES) {
        return error_set(expansion->error, "more than %d includes", QUERY_INCLUDES);
    }
    if (layer.depth > QUERY_INCLUDE_DEPTH) {
        return error_set(expansion->error, "includes are nested more than %d deep",
                         QUERY_INCLUDE_DEPTH);
    }
    text = query_text_find_text(expansion, name);
    done = text != NULL && expand_lines(expansion, &layer, text);
    free(text);
    return done;
}

/* Appends a file's lines with its includes expanded. On failure, each level puts its FILE:LINE
 * before the message, so that the outermost file comes first. */
static bool expand_lines(const struct expansion *expansion, const struct layer *layer,
                         const char *text) {
    struct text *out = &expansion->expanded->text;
    char name[QUERY_INCLUDE_NAME];
    size_t number = 1;
    bool begins_piece = true, is_taken = true;

    for (; *text != '\0'; number++) {
        size_t length = strcspn(text, "\n");
        bool is_include, is_by;
        const char *names;

        if (expansion->part != NULL && query_text_find_parts(text, &names, &is_by)) {
            is_taken = query_text_takes_part(expansion, names);
            begins_piece = true;
            text += length + (text[length] == '\n');
            continue;
        }
        if (!is_taken) {
            text += length + (text[length] == '\n');
            continue;
        }
        if (strncmp(text, QUERY_LINE, strlen(QUERY_LINE)) == 0) {
            query_text_add_place(expansion, text + strlen(QUERY_LINE), layer->file, number + 1);
            begins_piece = false;
            text += length + (text[length] == '\n');
            continue;
        }
        is_include = find_include(expansion, text, length, name);
        if (is_include && !include_file(expansion, layer, name)) {
            return error_context(expansion->error, "%s:%zu", layer->file, number);
        }
        if (!is_include && begins_piece) {
            add_piece(expansion, layer->file, number);
        }
        begins_piece = is_include;
        if (!is_include) {
            text_append(out, text, length);
            /* The last line of an included file gets a newline if it has none. */
            text_append_string(out, text[length] == '\n' || layer->outer != NULL ? "\n" : "");
        }
        if (out->length > QUERY_FILE_LIMIT) {
            return error_set(expansion->error, "%s:%zu: larger than 1 MiB with its includes",
                             layer->file, number);
        }
        text += length + (text[length] == '\n');
    }
    return true;
}

bool query_text_expand(struct query_text *expanded, const struct include_style *style,
                       const char *file, const char *text, const char *directory, const char *part,
                       struct error *error) {
    size_t includes = 0;
    const struct expansion expansion = {.expanded = expanded,
                                        .style = style,
                                        .directory = directory,
                                        .part = part,
                                        .includes = &includes,
                                        .error = error};
    const struct layer layer = {.file = file};

    *expanded = (struct query_text){0};
    add_piece(&expansion, file, 1);
    if (!expand_lines(&expansion, &layer, text)) {
        query_text_free(expanded);
        return false;
    }
    return true;
}

void query_text_free(struct query_text *expanded) {
    for (size_t i = 0; i < expanded->piece_count; i++) {
        free(expanded->pieces[i].file);
    }
    free(expanded->pieces);
    text_free(&expanded->text);
    *expanded = (struct query_text){0};
}

void query_text_place(const struct query_text *expanded, size_t offset, struct text *place) {
    const struct query_piece *piece = expanded->pieces;
    const char *at;
    size_t line;

    for (size_t i = 1; i < expanded->piece_count && expanded->pieces[i].at <= offset; i++) {
        piece = &expanded->pieces[i];
    }
    line = piece->line;
    at = expanded->text.bytes + piece->at;
    while ((at = memchr(at, '\n', (size_t)(expanded->text.bytes + offset - at))) != NULL) {
        at++;
        line++;
    }
    if (strcmp(piece->file, expanded->pieces[0].file) != 0) {
        text_append_format(place, "%s: ", expanded->pieces[0].file);
    }
    text_append_format(place, "%s:%zu", piece->file, line);
}

char *query_plot_read(const char *name, const char *directory, struct error *error) {
    const char *shipped = resource_find(plot_resources, name);
    char *own = directory == NULL ? NULL : query_text_read(directory, name, ".gp", error);
    struct text file = {0};
    struct query_text plot;
    char *text = NULL;

    if (own == NULL && (shipped == NULL || error->status != EXIT_DONE)) {
        return NULL;
    }
    text_append_format(&file, "%s.gp", name);
    if (query_text_expand(&plot, &include_plots, text_string(&file), own != NULL ? own : shipped,
                          own != NULL ? directory : NULL, NULL, error)) {
        text = xstrdup(text_string(&plot.text));
        query_text_free(&plot);
    }
    text_free(&file);
    free(own);
    return text;
}

/* Detects a file's format by its beginning, and layers of other text around its lines. */
#ifndef TRACETOOL_DETECT_H
#define TRACETOOL_DETECT_H

#include "import/context.h"
#include "import/importer.h"
#include "input/reader.h"
#include "base/error.h"
#include "base/text.h"

/* Returns the beginning of a file, as loaded by its reader. Skips a byte order mark, which shows
 * that the file is text. */
struct sniff detect_sniff(const struct import_run *run, const char *path, struct reader *reader);

/* Returns the importer for the file, or the one that the user named; NULL if the format is unknown.
 * If lines match only without layers around them (input/peel.h), the reader strips these from then
 * on. `plan` receives the layers, or is empty. Sets `*rival` to another format that the
 * configuration declares and that matches as well, or NULL. The reader must be at the beginning of
 * the file. */
const struct importer *detect_format(const struct import_run *run, const char *path,
                                     struct reader *reader, struct peel_plan *plan,
                                     const struct importer **rival);

/* The beginning of a file. `line` is the line that is compared with formats: the first one that is
 * neither empty nor begins with #; else the first one that is not empty. */
struct file_head {
    struct sniff sniff;
    bool is_text;
    struct word line; /* line that is compared with formats; empty: the file has no line */
    size_t number;    /* number of the line in the file, from 1 */
};

/* How well the line of `struct file_head` fits a format. */
struct format_similarity {
    const struct importer *importer;
    bool known;   /* true: the sniff() of the format accepts the file */
    unsigned fit; /* share of the line's fields that have the format's kind of value, in thousandths
                     of all fields */
    bool numbers; /* true: the line has a number or time where the format has one */
    unsigned differ; /* edit distance from the format's example, in thousandths; decides ties */
};

/* Appends why a file does not have a format: "field 3 is \"x\", not a number such as 4096". */
void format_append_mismatch(const struct importer *importer, const struct file_head *head,
                            struct text *out);

/* The beginning of a file, without layers that an import strips, and its fit for each format. */
struct similar_formats {
    struct input *input;
    struct reader reader;
    struct file_head head; /* beginning of the file, without the layers that can be stripped */
    /* All formats, the best fit first, owned. A binary format's fit for a text file is 0, and a
     * text format's fit for a binary file is 0. */
    struct format_similarity *formats;
    size_t count;
    struct text room, what; /* room: memory for `head`; what: describes the file */
};

/* Opens a file ("-": stdin) and reads its beginning. On failure, nothing needs to be closed. */
bool similar_formats_open(struct similar_formats *file, const char *path,
                          const struct config *config, struct error *error);

void similar_formats_close(struct similar_formats *file);

/* Appends a description of a file of unknown format, to be printed after "FILE: ". It names the
 * program that wrote the log and what to do with it; or the type by libmagic, the first line, and
 * up to three formats with lines of the same shape, each with the field that does not fit. */
void describe_unknown_file(const struct sniff *sniff, const struct config *config,
                           struct text *out);

#endif

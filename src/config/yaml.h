/* A thin layer over libyaml's document API, for every YAML file the program reads.
 *
 * A file is read completely (at most 16 MiB, one document) and then walked from its root with the
 * functions below. All of them describe a mistake as "FILE:LINE: what is wrong". Duplicate and
 * unknown keys are errors, so that nothing is silently ignored.
 *
 * Aliases are references and never expanded. The number of nodes reached again through them is
 * limited for the whole file, so a file of nested aliases is refused. Walk each mapping or sequence
 * only once, since further passes count, too.
 */
#ifndef TRACETOOL_YAML_H
#define TRACETOOL_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <yaml.h>

#include "base/error.h"
#include "base/memory.h"

#define YAML_FILE_LIMIT (16u << 20)

/* Limits, because libyaml takes time quadratic in depth, anchors and tags. The deepest key of the
 * program needs a depth of 5. */
#define YAML_DEPTH_LIMIT  64
#define YAML_ANCHOR_LIMIT 256
#define YAML_TAG_LIMIT    64

/* Most times that the nodes of a file may be reached again through aliases. */
#define YAML_ALIAS_LIMIT 10000

struct yaml_file {
    char *path;               /* owned; for messages */
    yaml_document_t document; /* owned */
    bool *reached;            /* per node index: it was reached */
    size_t again;             /* number of nodes reached again */
    struct pool
        pool; /* memory of yaml_copy() and yaml_grow(); freed with the file, unless joined */
};

/* A value in a file, passed by value; valid until yaml_file_free(). */
struct yaml_value {
    struct yaml_file *file;
    yaml_node_t *node; /* NULL: the root of an empty file */
};

enum yaml_origin {
    YAML_NAMED, /* file named by the user: may be a pipe or a device, which may block */
    YAML_FOUND, /* file found by the program: must be a regular file */
};

/* Reads and parses `path`. On failure `file` needs no freeing. */
bool yaml_file_read(const char *path, enum yaml_origin origin, struct yaml_file *file,
                    struct error *error);

/* Parses YAML from a text in memory; `path` is its name in messages. */
bool yaml_text_read(const char *text, const char *path, struct yaml_file *file,
                    struct error *error);

void yaml_file_free(struct yaml_file *file);

/* Returns the root value, borrowed; without a node if the file is empty. */
struct yaml_value yaml_root(struct yaml_file *file);

/* Returns the value of a key of a mapping that was walked, for its line; the mapping itself if it
 * lacks the key, or is none. */
struct yaml_value yaml_find(struct yaml_value mapping, const char *key);

/* Returns the line of a value, from 1. */
size_t yaml_line(struct yaml_value value);

/* Sets "FILE:LINE: " and the message. Always returns false. */
bool yaml_error(struct yaml_value value, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether the value is empty, `~` or `null`. Counts as an empty file, mapping or sequence. */
bool yaml_is_null(struct yaml_value value);

/* False for an empty value, too. */
bool yaml_is_mapping(struct yaml_value value);
bool yaml_is_sequence(struct yaml_value value);

/* Returns the text of a scalar; NULL with `error` set for another value. `what` names it in the
 * message ("the name of an application"). UTF-8 without NUL bytes, borrowed from the file. */
const char *yaml_string(struct yaml_value value, const char *what, struct error *error);

/* Like yaml_string(), but not empty, and copied to the file's pool. */
char *yaml_copy(struct yaml_value value, const char *what, struct error *error);

/* Reads an integer from 0 to `most`, in the form of yaml_parse_unsigned(). */
bool yaml_unsigned(struct yaml_value value, const char *what, uint64_t most, uint64_t *number,
                   struct error *error);

/* Parses `length` bytes of a scalar: decimal digits, or hex digits after 0x. A decimal number must
 * not begin with 0, since 00012345 might mean hex or octal. False if invalid or greater than
 * `most`. */
bool yaml_parse_unsigned(const char *digits, size_t length, uint64_t most, uint64_t *number);

/* Called for a pair of a mapping, or an item of a sequence (without a node in `key`). Returning
 * false with `error` set stops the walk. */
typedef bool yaml_visit(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error);

/* Walks a mapping in file order. Keys must be scalars without duplicates. */
bool yaml_each_pair(struct yaml_value mapping, const char *what, yaml_visit *visit, void *context,
                    struct error *error);

/* Walks a sequence. */
bool yaml_each_item(struct yaml_value sequence, const char *what, yaml_visit *visit, void *context,
                    struct error *error);

/* Makes room for one more element at the end of an array in the file's pool, by doubling. */
void *yaml_grow(struct yaml_file *file, void *array, size_t count, size_t size);

enum yaml_type {
    YAML_OWN,    /* read() parses the value */
    YAML_PAIRS,  /* a mapping; read() gets each pair */
    YAML_ITEMS,  /* a sequence; read() gets each item */
    YAML_TEXT,   /* yaml_copy(), at most `most` bytes unless that is 0: a char * */
    YAML_NUMBER, /* an integer: an int64_t */
    YAML_CHOICE, /* one of `choices`: its index as an unsigned or enum */
    YAML_FLAG,   /* no or yes, or one of two `choices`: a bool */
};

/* A known key of a mapping, and its type. */
struct yaml_key {
    const char *name;
    enum yaml_type type;
    yaml_visit *read;           /* reads the value; its context is the object being read */
    size_t place;               /* offsetof() in that object */
    int64_t least, most, step;  /* range of a number, a multiple of `step`; 0: any */
    const char *must;           /* message for other values: "must not be 0"; NULL: the range */
    const char *const *choices; /* NULL-terminated */
    const char *what;           /* name of the value in messages; NULL: the name of the key */
    const char *otherwise;      /* meaning of the default, if it is not a plain number */
    const char *help;           /* short help, for keys of a section */
    bool names_file;            /* the value names a file, a directory or a program */
};

/* Reads the value of a known key into the object. */
bool yaml_read_known(const struct yaml_key *known, void *object, struct yaml_value key,
                     struct yaml_value value, struct error *error);

/* Reads a mapping with known keys into the object; skips null values. `*given` receives a bit for
 * each key present; may be NULL. A key not among `keys` is an error: "FILE:LINE: unknown key 'x';
 * known are a, b". */
bool yaml_each_key(struct yaml_value mapping, const char *what, const struct yaml_key *keys,
                   size_t key_count, void *object, uint64_t *given, struct error *error);

/* Sets the error for a scalar key that is not in the list `known` ("a, b"). Always returns false.
 */
bool yaml_unknown_key(struct yaml_value key, const char *known, struct error *error);

#endif

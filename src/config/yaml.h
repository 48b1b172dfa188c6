/* A thin layer over libyaml's document API, for every YAML file the program reads.
 *
 * A file is read whole (16 MiB at most, one document) and then walked from its root with the
 * functions below. All of them describe a mistake as "FILE:LINE: what is wrong". Strictness is on
 * purpose: duplicate and unknown keys are errors, so that nothing is silently ignored.
 *
 * Aliases stay references to their node, they are never expanded; how often nodes are reached
 * again through them is bounded for the whole file, so a file of aliases to aliases is refused
 * instead of being walked for ever. Walk a mapping or sequence once, not in several passes, else
 * that counts too.
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

/* libyaml takes time that grows with the square of these. The deepest key needs 5. */
#define YAML_DEPTH_LIMIT  64
#define YAML_ANCHOR_LIMIT 256
#define YAML_TAG_LIMIT    64

/* How often, in all, a node may be reached again. */
#define YAML_ALIAS_LIMIT 10000

struct yaml_file {
    char *path;               /* owned; for messages */
    yaml_document_t document; /* owned */
    bool *reached;            /* a node's index: it was handed out already */
    size_t again;             /* nodes handed out again */
    struct pool pool;         /* of yaml_copy() and yaml_grow(); freed with it, unless joined */
};

/* A place in a file, passed by value; valid until yaml_file_free(). */
struct yaml_value {
    struct yaml_file *file;
    yaml_node_t *node; /* NULL: the root of an empty file */
};

enum yaml_origin {
    YAML_NAMED, /* by the user: may be a pipe or a device, which is waited for */
    YAML_FOUND, /* by the program: must be a regular file */
};

/* Reads and parses `path`. On failure `file` needs no freeing. */
bool yaml_file_read(const char *path, enum yaml_origin origin, struct yaml_file *file,
                    struct error *error);

/* The same for a text in memory, which messages call `path`. */
bool yaml_text_read(const char *text, const char *path, struct yaml_file *file,
                    struct error *error);

void yaml_file_free(struct yaml_file *file);

/* The value that the whole file is, borrowed; NULL as node: the file is empty. */
struct yaml_value yaml_root(struct yaml_file *file);

/* The line of a value, counted from 1. */
size_t yaml_line(struct yaml_value value);

/* Sets "FILE:LINE: " and the message. Always returns false. */
bool yaml_error(struct yaml_value value, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether nothing stands there: an empty value, `~` or `null`. A file, mapping or sequence of which
 * that is true counts as an empty one. */
bool yaml_is_null(struct yaml_value value);

/* False for nothing, too. */
bool yaml_is_mapping(struct yaml_value value);
bool yaml_is_sequence(struct yaml_value value);

/* The text of a scalar, NULL with `error` set when it is none. `what` names it in the message
 * ("the name of an application"). UTF-8 without NUL bytes, borrowed from the file. */
const char *yaml_string(struct yaml_value value, const char *what, struct error *error);

/* As yaml_string(), not empty, and a copy in the file's pool. */
char *yaml_copy(struct yaml_value value, const char *what, struct error *error);

/* A whole number from 0 to `most`, as yaml_parse_unsigned() takes it. */
bool yaml_unsigned(struct yaml_value value, const char *what, uint64_t most, uint64_t *number,
                   struct error *error);

/* For numbers inside of scalars: the `length` bytes are decimal digits, or hex digits after 0x.
 * A decimal number must not begin with 0, since somebody who writes 00012345 may mean hex, or
 * octal. False when it is no such number or greater than `most`. */
bool yaml_parse_unsigned(const char *digits, size_t length, uint64_t most, uint64_t *number);

/* Called for a pair of a mapping, or an item of a sequence (`key` has no node then). Returns false
 * with `error` set to end the walk. */
typedef bool yaml_visit(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error);

/* Walks a mapping in its own order. Keys are scalars, none twice. */
bool yaml_each_pair(struct yaml_value mapping, const char *what, yaml_visit *visit, void *context,
                    struct error *error);

/* Walks a sequence. */
bool yaml_each_item(struct yaml_value sequence, const char *what, yaml_visit *visit, void *context,
                    struct error *error);

/* Makes room for one more element at the end of an array in the file's pool, which doubles. */
void *yaml_grow(struct yaml_file *file, void *array, size_t count, size_t size);

enum yaml_type {
    YAML_OWN,    /* read() makes of the value what it likes */
    YAML_PAIRS,  /* a mapping, of which read() gets the pairs one after another */
    YAML_ITEMS,  /* a sequence, likewise */
    YAML_TEXT,   /* yaml_copy(), of up to `most` bytes where that is not 0: a char * */
    YAML_NUMBER, /* a whole number: an int64_t */
    YAML_CHOICE, /* one of `choices`: an unsigned, or enum, its position */
    YAML_FLAG,   /* no or yes, or one of two `choices`: a bool */
};

/* A key that a mapping may have, and what its value is. */
struct yaml_key {
    const char *name;
    enum yaml_type type;
    yaml_visit *read;           /* its context is the object that is read */
    size_t place;               /* offsetof() in that object */
    int64_t least, most, step;  /* bounds of a number, a multiple of `step`; 0: any */
    const char *must;           /* what a message says to others: "must not be 0"; NULL: bounds */
    const char *const *choices; /* ends with NULL */
    const char *what;           /* in messages; NULL: the name */
    const char *otherwise;      /* what the default means, where it is no number of its own */
    const char *help;           /* in a few words, of keys of a section */
    bool names_file;            /* the value names a file, a folder or a program */
};

/* Reads the value of a known key into the object. */
bool yaml_read_known(const struct yaml_key *known, void *object, struct yaml_value key,
                     struct yaml_value value, struct error *error);

/* Reads a mapping of which all keys are known into the object; a value that is null is passed over.
 * Bits of `*given` tell which keys are there; NULL: nobody asks. A key that is not among `keys` is
 * an error: "FILE:LINE: unknown key 'x'; known are a, b". */
bool yaml_each_key(struct yaml_value mapping, const char *what, const struct yaml_key *keys,
                   size_t key_count, void *object, uint64_t *given, struct error *error);

/* The error for a key, which is a scalar, that is none of those in the list `known` ("a, b").
 * Always returns false. */
bool yaml_unknown_key(struct yaml_value key, const char *known, struct error *error);

#endif

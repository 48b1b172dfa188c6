/* The system calls (traps) of Palm OS on 68k devices: their names and how to show the arguments
 * that a log holds.
 *
 * The tables are importers/palmos.table, made into C by src/build/palmos_table.awk. The table names
 * the sources of its facts. Everything here is constant: nothing is allocated, nothing is to be
 * freed, and any thread may ask.
 */
#ifndef TRACETOOL_PALMOS_H
#define TRACETOOL_PALMOS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Traps have IDs from here on: 0xA000 + position in the dispatch table of the system. */
#define PALMOS_FIRST_TRAP 0xA000

/* No function has more parameters than this, "..." included; the build checks it. */
#define PALMOS_MAX_PARAMETERS 16

/* What a value is. Numbers are big-endian. */
enum palmos_kind {
    PALMOS_UNSIGNED,
    PALMOS_SIGNED,
    PALMOS_BOOLEAN, /* one byte */
    PALMOS_ADDRESS, /* four bytes that point to something unknown: shown, never followed */
    PALMOS_STRING,  /* address of NUL-terminated text; only parameters, in a structure: ADDRESS */
    PALMOS_CHARS,   /* fixed number of bytes of text, up to a NUL */
    PALMOS_BYTES,   /* fixed number of bytes without a known meaning */
    PALMOS_STRUCT,
    PALMOS_REST, /* "...": whatever follows the other arguments */
};

/* A parameter of a function or a member of a structure. */
struct palmos_field {
    const char *name;
    const struct palmos_struct *structure; /* of a PALMOS_STRUCT, otherwise NULL */
    uint16_t width;                        /* bytes of one element; 0 for STRING and REST */
    uint16_t count;                        /* elements of an array, 0 when it is not one */
    uint16_t offset;                       /* of a member: bytes from the start */
    uint8_t kind;                          /* enum palmos_kind */
    uint8_t bit;  /* of a bit-field: first bit, counted from the top of the byte at `offset` */
    uint8_t bits; /* of a bit-field: how many, otherwise 0 */
    uint8_t by_address; /* of a parameter: it points to such a value */
};

struct palmos_struct {
    const char *name;
    const struct palmos_field *members;
    uint16_t member_count;
    uint16_t size; /* bytes */
};

/* A function behind a dispatcher trap. */
struct palmos_selector {
    const char *name;
    const struct palmos_field *parameters;
    uint16_t number;
    uint8_t parameter_count;
};

enum palmos_flag {
    PALMOS_RESERVED = 1,   /* number set aside, at least in the latest release */
    PALMOS_OBSOLETE = 2,   /* obsolete by the latest headers */
    PALMOS_DISPATCHER = 4, /* many functions behind one trap, distinguished by a selector */
    PALMOS_LATE = 8,       /* not in SDK 3.5, only in some late builds of Palm OS 3.5 */
    PALMOS_REUSED = 16,    /* an ID of Palm OS 1.0 that a later release gave to this call */
    PALMOS_UNLOGGED = 32,  /* named by the Palmist thesis as not logged */
    PALMOS_PROTOTYPE = 64, /* the parameters are known (there may be none) */
    PALMOS_ON_STACK = 128, /* the selector is the first, 16-bit argument, not a register */
    PALMOS_VOID = 256,     /* with PALMOS_PROTOTYPE: returns nothing */
};

struct palmos_trap {
    const char *name;       /* in the latest release */
    const char *name_sdk35; /* in the SDK 3.5 headers when that differs, otherwise NULL */
    const struct palmos_field *parameters;
    const struct palmos_selector *selectors; /* by number; a number may occur twice */
    const char *category;                    /* the manager it belongs to: "Form", "Window", … */
    uint16_t id;
    uint16_t selector_count;
    uint8_t parameter_count;
    uint8_t since;  /* release in which the ID appeared: 35 is 3.5 */
    uint16_t flags; /* enum palmos_flag */
};

/* One name and the trap that has it; a trap with two names has two of these. */
struct palmos_name {
    const char *name;
    uint16_t trap; /* index in palmos_traps */
};

/* All traps by ascending ID, and all names in the order of strcmp(), equal ones by ascending ID.
 * Written at build time. */
extern const struct palmos_trap palmos_traps[];
extern const size_t palmos_trap_count;
extern const struct palmos_name palmos_names[];
extern const size_t palmos_name_count;

/* The trap with this ID, NULL when there is none. Takes O(log n). */
const struct palmos_trap *palmos_trap_find(uint16_t id);

/* The trap with the lowest ID that has this name, be it the latest one or that of SDK 3.5; NULL
 * when there is none. `name` need not be NUL-terminated. Case counts. Takes O(log n).
 * ExgControl and ExgNotifyReceive are the names of two traps each. */
const struct palmos_trap *palmos_trap_by_name(const char *name, size_t length);

/* The trap with the next higher ID that has the same name, NULL after the last one. `previous`
 * is what palmos_trap_by_name() or this function gave for the same name. */
const struct palmos_trap *palmos_trap_next_by_name(const struct palmos_trap *previous,
                                                   const char *name, size_t length);

/* The name to show: that of SDK 3.5 where there is one, otherwise the latest. Never NULL. Not
 * unique: an ID identifies a trap. */
const char *palmos_trap_name(const struct palmos_trap *trap);

/* The release in which the trap's ID appeared, as a number that compares: 10 is 1.0, 35 is 3.5;
 * a third digit does not count (5.1.1 is 51), "5.x" is 50. */
unsigned palmos_trap_since(const struct palmos_trap *trap);

/* Whether the Palmist logger is taken to log the trap when nobody says which ones it does: all
 * that appeared up to 3.5, without the 14 that the thesis names as not logged. Reserved, obsolete
 * and late entries up to 3.5 count: the rule names no other exception. */
bool palmos_trap_loggable_by_default(const struct palmos_trap *trap);

/* Appends the arguments of one logged call to `out`: `name=value, name=value`.
 *
 * `bytes` are the `size` bytes of arguments as Palmist packs them: in the order of the parameters,
 * no padding, big-endian, a string or structure behind a pointer stored itself. What is stored for
 * other pointers is not documented, so each pointer to something of a known size (and each string)
 * is tried as the thing itself first and as a 4-byte address second; addresses of anything else
 * are 4 bytes. The first combination that takes exactly all the bytes is shown, and none is when
 * there is no such combination: a decode that leaves bytes over is a wrong one. (A combination
 * that a few hundred steps do not find is not found.)
 *
 * Values: numbers in decimal, `true`/`false` (any byte but 0 and 1 as a number), strings quoted
 * and escaped so that they are safe on a terminal, structures `{x=1, y=2}`, arrays `[1, 2]`,
 * addresses `0x0001abcd`, data without a known meaning `0x` and its bytes. The variable arguments
 * of a function are `...=0x` and their bytes.
 *
 * A dispatcher whose selector is among the arguments (HostControl) gives `selector=NAME` and the
 * arguments of that function.
 *
 * Returns true when the arguments could be decoded. No bytes are no arguments: nothing is
 * appended, and the result is true. Otherwise (unknown trap or prototype, no fit) returns false
 * after appending `hex:` and the bytes in hex. Running out of memory shows in `out->failed`.
 * What is appended is never longer than a constant times `size`. */
bool palmos_decode_arguments(uint16_t trap, const uint8_t *bytes, size_t size, struct text *out);

#endif

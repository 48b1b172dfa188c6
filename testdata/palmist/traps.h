/* The calls, applications and argument shapes the generated sessions use.
 *
 * A recipe has one letter a parameter; traps.c says what each stands for. It
 * follows the call's published prototype: packed without padding, a string or
 * structure behind a pointer stored itself.
 */
#ifndef PALMIST_TRAPS_H
#define PALMIST_TRAPS_H

#include "util.h"

enum { POPULAR_TRAPS = 296, LOGGABLE_TRAPS = 735, DEFAULT_LOGGABLE_TRAPS = 990, TOP = 10 };

typedef struct {
    uint16_t id;
    const char *name;
    const char *recipe;
} Trap;

typedef struct {
    uint16_t first;
    uint16_t last;
} TrapRange;

typedef struct {
    uint32_t id;
    const char *name;
} Application;

/* Most popular first, in the order of the representative session. */
extern const Trap popular_traps[POPULAR_TRAPS];
extern const TrapRange loggable_ranges[];
extern const size_t loggable_range_count;
extern const Application applications[];
extern const size_t application_count;

/* Enough for any name or 0xXXXX. */
typedef struct {
    char text[40];
} TrapName;

/* The name shown in reports, 0xA7F3 for an unknown ID. */
TrapName trap_name(uint16_t id);
/* Whether text logs may use the name: known, and of one ID only. */
int trap_name_is_unique(uint16_t id);
const Trap *find_popular_trap(uint16_t id);
int trap_is_loggable(uint16_t id);

/* Appends made-up but plausible arguments. */
void append_arguments(Buffer *out, const char *recipe, Random *random);

/* The configuration that goes with the full-size logs. */
void write_configuration(Buffer *out);

#endif

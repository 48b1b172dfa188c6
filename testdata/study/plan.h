/* Number of I/Os by kind and user. */
#ifndef STUDY_PLAN_H
#define STUDY_PLAN_H

#include "study.h"

/* How large I/Os are, and how far the file reaches in which they lie. */
typedef enum { PAGES, LOGS, COMMITS, STREAMS, MIXED, PROFILES } Profile;

typedef struct {
    BlockType block;
    Profile profile;
    uint16_t mix[CLASSES]; /* what the classes weigh against one another; 0: never */
} Habit;

/* How a file is read and written: by SQLite, ext4, the page cache, at start-up, past all of them.
 */
typedef enum {
    SQL_PAGES,
    SQL_LOGS,
    SQL_TEMPORARY,
    COMMITTED,
    KEPT_BOOKS, /* metadata */
    READ_BOOKS,
    STREAMED,
    SCATTERED,
    LOADED,
    LOOKED_UP,
    SWAPPED,
    RAW,
    FETCHED, /* from a server at 06:00: nothing but reads */
    HABITS
} HabitName;

/* What one process does to one kind of file. */
typedef struct {
    const char *process;
    Partition partition;
    FileType type;
    HabitName habit;
    const char *name, *ending; /* of the file, around its number; NULL: no name */
    unsigned files;
    uint16_t weight[USERS]; /* in 1000 I/Os */
} Row;

extern const Habit habits[HABITS];
enum { MAX_ROWS = 112 };
extern const Row rows[];
extern const unsigned row_count;
/* The hour of the day in which a row is done first; 0: any. */
unsigned hour_of(unsigned row);

typedef struct {
    uint32_t total;
    uint32_t hours[HOURS];
    uint32_t cells[MAX_ROWS][CLASSES];
} Plan;

/* Makes the plan of user 0 or 1; with too few I/Os it may miss what it promises, which
 * check_promises() notices. */
Plan make_plan(unsigned user, uint32_t total);

#endif

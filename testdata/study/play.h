/* Plays the day of a user, one completed I/O after the other. */
#ifndef STUDY_PLAY_H
#define STUDY_PLAY_H

#include "plan.h"
#include "util.h"

/* A profile has so many sizes. */
enum { SIZES = 20 };
/* I/Os that may still be on their way when the next one is issued. */
enum { IN_FLIGHT = 4096 };

typedef struct {
    Plan plan;
    Random random;
    uint32_t left; /* I/Os to come */
    uint32_t row_left[MAX_ROWS];
    uint8_t sizes[MAX_ROWS][SIZES], sizes_left[MAX_ROWS]; /* those not drawn yet */
    unsigned hour;                                        /* since the study began */
    unsigned minute;                                      /* of that hour */
    uint32_t minutes[60];                                 /* I/Os in each minute of that hour */
    uint32_t done;                                        /* I/Os of that minute */
    uint32_t transaction;
    struct {
        uint32_t first, end;
        int64_t completed;
    } flying[IN_FLIGHT]; /* a ring, the last one at played - 1 */
    uint64_t played;
    uint32_t ends[2];         /* where the last read and the last write ended */
    const Area *end_areas[2]; /* and where that is; NULL: none yet */
} Player;

void start_playing(Player *player, unsigned user, uint32_t total);
/* 0 at the end. Completions are in strict order of time; issues are not. */
int play_next(Player *player, Io *io);

int is_read(Class class);

#endif

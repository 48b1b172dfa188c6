/* Times of a strace log: from what a line says to nanoseconds since the log began. */
#ifndef TRACETOOL_STRACE_TIME_H
#define TRACETOOL_STRACE_TIME_H

#include "strace_line.h"

/* Of a log, which may be of several files. */
struct strace_times {
    bool begun;
    enum strace_clock clock;
    int64_t base; /* what its first time says */
    int64_t now;  /* of the last line, since the base; in a log without times a number */
    bool back;    /* a line was earlier than the one before it by more than a day */
};

/* Of one of its files. */
struct strace_days {
    int64_t day, last; /* nanoseconds: where the present day begins, and the last time */
};

/* The time of a line in the file's own terms; a step back of more than 12 hours is midnight. */
int64_t strace_days_time(struct strace_days *days, const struct strace_head *head);

/* Begins the times with the first line that has any, or with the first call. `first` is the
 * earliest time of the file's first lines. */
void strace_times_begin(struct strace_times *times, enum strace_clock clock, int64_t first);

/* The time of a line since the begin of the log. NULL, or a reason for the ledger: the time is
 * none then. */
const char *strace_times_of(struct strace_times *times, struct strace_days *days,
                            const struct strace_head *head, int64_t *time);

/* What the first lines of a file say of its times. */
struct strace_first {
    enum strace_clock clock;
    int64_t time;       /* the earliest */
    bool durations;     /* some calls have them (-T) */
    bool whole_seconds; /* numbers behind blanks are times of -r=s, not threads */
};
bool strace_has_whole_seconds(const char *bytes, size_t length);
void strace_first_times(const char *bytes, size_t length, struct strace_first *first);

/* Skips the blanks before the number of a thread: the log was indented. -r has blanks there, too,
 * but a fraction; without one (-r=s) some of its times are 0, as no thread's number is. */
void strace_skip_indent(struct word *line, bool whole_seconds);

#endif

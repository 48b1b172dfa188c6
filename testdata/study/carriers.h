/* The forms in which the study is written: D (binary records of the real-time tracer), E
 * (AndroTrace's .uio) and its .ufls. See shared/formats/most.md.
 */
#ifndef STUDY_CARRIERS_H
#define STUDY_CARRIERS_H

#include "study.h"
#include "util.h"

/* An issue or a completion that waits for its turn. */
typedef struct {
    int64_t time;
    int completes;
    Io io;
} Action;

typedef struct {
    FILE *binary; /* form D */
    char directory[PATH_SIZE];
    FILE *uio;          /* the piece of form E being written; NULL: none yet */
    int64_t uio_second; /* after which it is named */
    size_t uio_length;
    size_t piece;    /* length at which the next piece begins */
    Action *waiting; /* in order of time */
    size_t waiting_count, waiting_capacity;
    uint64_t binary_bytes, uio_bytes;
    int64_t first_issue;
} Carriers;

void open_carriers(Carriers *carriers, const char *directory, unsigned user, size_t piece);
/* I/Os come in order of completion. */
void carry(Carriers *carriers, const Io *io);
void close_carriers(Carriers *carriers);

/* One file of a user that was deleted during the study. */
typedef struct {
    int64_t created, deleted; /* nanoseconds since the study began; created may be before */
    FileType type;
    int64_t size;
    const char *process;
    char name[40];
} Deletion;

void put_deletion(FILE *file, const Deletion *deletion);

#endif

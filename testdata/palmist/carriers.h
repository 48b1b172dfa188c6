/* The carriers: the same calls as a Palm database, raw records or text. */
#ifndef PALMIST_CARRIERS_H
#define PALMIST_CARRIERS_H

#include "log.h"

typedef enum { RAW, PADDED, PDB, TEXT } Carrier;

/* The conduit's own buffer, and so the most a record holds. */
enum { CONDUIT_RECORD = 64000, PDB_HEADER = 78, PDB_ENTRY = 8, MAX_RECORDS = 64 };

typedef struct {
    Carrier carrier;
    size_t capacity;         /* a record's bytes in use, at most */
    size_t record_size;      /* what a record occupies; 0: no more than it uses */
    size_t calls_per_record; /* 0: as many as fit */
    int empty_records;       /* one before, between and after the others */
} Packing;

/* A file, and where in it everything lies. */
typedef struct {
    Buffer file;
    size_t record_count;
    size_t records[MAX_RECORDS];         /* offset of each */
    size_t first_calls[MAX_RECORDS + 1]; /* number of its first call */
    size_t *calls;                       /* offset of each */
} Image;

Image build_image(const Log *log, const Packing *packing);
void image_free(Image *image);

/* mixed: every form a line may have, with comments; else one form throughout. */
void write_text(Buffer *out, const Log *log, int mixed);

/* The usual packing of each carrier, for the full-size logs. */
void write_log(Buffer *out, const Log *log, Carrier carrier);

#endif

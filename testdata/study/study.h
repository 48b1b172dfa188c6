/* What the study is made of: the phones, the users, and one I/O. */
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include <stdint.h>

enum { USERS = 2, HOURS = 24, FIRST_HOUR = 19 };

/* The study begins on 2014-04-26 at 19:00 local time, UTC+9. The first is the clock on the wall
 * counted like Unix time, the second is Unix time. */
#define START_LOCAL   INT64_C(1398538800)
#define START_UNIX    (START_LOCAL - 9 * 3600)
#define US_PER_SECOND INT64_C(1000000)
#define US_PER_MINUTE (60 * US_PER_SECOND)

enum { MIN_LATENCY = 200, MAX_LATENCY = 20000 }; /* microseconds */

/* The numbers of both forms. */
typedef enum { READ, WRITE, READSYNC, WRITESYNC, CLASSES } Class;

typedef enum { METADATA, JOURNAL, DATA, ANONYMOUS, NO_BLOCK_TYPE, BLOCK_TYPES } BlockType;

/* The numbers of both forms, too. */
typedef enum {
    TYPE_NONE,
    TYPE_DB,
    TYPE_ROLLBACK,
    TYPE_WAL,
    TYPE_DB_TEMP,
    TYPE_MULTIMEDIA,
    TYPE_EXECUTABLE,
    TYPE_RESOURCE,
    TYPE_TEMP,
    TYPE_OTHER,
    TYPE_ANONYMOUS,
    TYPE_TRACER, /* .uio; 12 to 14 are its other files */
    TYPES
} FileType;

typedef enum {
    PART_SYSTEM,
    PART_CACHE,
    PART_DATA,
    PART_ETC,
    PART_UNMAPPED, /* the modem's, which study.yaml leaves out */
    PARTITIONS
} Partition;

/* A range of sectors on the one disk; /etc has two, boot and recovery. */
typedef struct {
    Partition partition;
    uint32_t first, sectors;
} Area;

enum { AREAS = 6, DISK_MAJOR = 179, DISK_MINOR = 0, MAX_BLOCKS = 1024, SECTOR = 512 };

extern const Area areas[AREAS];
extern const char *const partition_names[PARTITIONS];
extern const char *const type_names[TYPES];
extern const char *const block_names[BLOCK_TYPES];

typedef struct {
    int64_t issued, completed; /* microseconds since the study began */
    uint32_t sector, blocks;
    Class class;
    FileType type;
    BlockType block;
    int flush;            /* the request flushes the disk's cache first */
    uint32_t transaction; /* of SQLite; 0: none */
    uint32_t pid;
    const char *process; /* at most 15 bytes */
    char file[40];       /* "": none */
} Io;

#endif

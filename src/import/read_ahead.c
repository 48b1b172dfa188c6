#include "import/read_ahead.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "input/reader.h"

enum {
    /* Number of blocks. Together they must be larger than a core's cache: writing to memory that is
       still in another core's cache takes 1.5 times as long. */
    BLOCKS = 8,
    BLOCK_RECORDS = 4096,
    /* Number of emptied blocks that are not refilled yet. They hold at least the last STREAM_WINDOW
       records, or STREAM_BYTES of them, which must stay valid. */
    KEPT_BLOCKS = 2,
};

/* Copies of consecutive records of the stream. */
struct block {
    struct stream_record records[BLOCK_RECORDS];
    size_t count;
    uint8_t *bytes; /* owned; the records point into it */
    size_t capacity;
    char *parsed; /* owned; BLOCK_RECORDS results of parse_record() */
};

struct read_ahead {
    const struct importer *importer; /* borrowed, like the stream */
    struct stream *stream;
    struct block blocks[BLOCKS]; /* block n is at n % BLOCKS */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t filled, emptied; /* numbers of blocks filled and emptied so far; `lock` protects all
                               members up to `stopped` */
    bool ended, stopped;
    bool joined;
    size_t next; /* index of the next record in the current block; used only by the importer's
                    thread */
    /* a record that did not fit into the last block; it begins the next one */
    struct stream_record waiting;
    bool waits;
    struct error error; /* error from reading the stream */
    struct error *reader_error;
};

/* Fills a block with records; returns false at the end of the stream. A record is valid only until
 * the next one is read, so a record that does not fit is stored in `waiting`. */
static bool fill_block(struct read_ahead *ahead, struct block *block) {
    const struct importer *importer = ahead->importer;
    size_t used = 0;

    block->count = 0;
    while (block->count < BLOCK_RECORDS) {
        struct stream_record *record = &block->records[block->count];

        if (ahead->waits) {
            *record = ahead->waiting;
        } else if (!importer->next_record(ahead->stream, record)) {
            return false;
        }
        ahead->waits = used > 0 && used + record->length > block->capacity;
        if (ahead->waits) {
            ahead->waiting = *record;
            return true;
        }
        if (record->length > block->capacity) {
            free(block->bytes);
            block->capacity = record->length;
            block->bytes = xmalloc(block->capacity);
        }
        if (record->bytes != NULL) {
            memcpy(block->bytes + used, record->bytes, record->length);
            record->bytes = block->bytes + used;
            used += record->length;
        }
        record->parsed = block->parsed + block->count * importer->parsed_size;
        importer->parse_record(ahead->stream, record);
        block->count++;
    }
    return true;
}

static void *read_blocks(void *argument) {
    struct read_ahead *ahead = argument;
    bool some = true;

    while (some) {
        pthread_mutex_lock(&ahead->lock);
        if (ahead->filled - ahead->emptied == BLOCKS - KEPT_BLOCKS) {
            while (ahead->filled - ahead->emptied > BLOCKS / 2 && !ahead->stopped) {
                pthread_cond_wait(&ahead->changed, &ahead->lock);
            }
        }
        some = !ahead->stopped;
        pthread_mutex_unlock(&ahead->lock);
        some = some && fill_block(ahead, &ahead->blocks[ahead->filled % BLOCKS]);
        pthread_mutex_lock(&ahead->lock);
        ahead->filled++;
        ahead->ended = !some;
        pthread_cond_signal(&ahead->changed);
        pthread_mutex_unlock(&ahead->lock);
    }
    return NULL;
}

static void free_blocks(struct read_ahead *ahead) {
    for (size_t i = 0; i < BLOCKS; i++) {
        free(ahead->blocks[i].bytes);
        free(ahead->blocks[i].parsed);
    }
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->lock);
    free(ahead);
}

struct read_ahead *read_ahead_open(const struct importer *importer, struct stream *stream) {
    struct read_ahead *ahead = xcalloc(1, sizeof *ahead);

    ahead->importer = importer;
    ahead->stream = stream;
    for (size_t i = 0; i < BLOCKS; i++) {
        ahead->blocks[i].capacity = READER_WINDOW;
        ahead->blocks[i].bytes = xmalloc(READER_WINDOW);
        ahead->blocks[i].parsed = xcalloc(BLOCK_RECORDS, importer->parsed_size);
    }
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    ahead->reader_error = stream->reader->error;
    stream->reader->error = &ahead->error;
    if (pthread_create(&ahead->thread, NULL, read_blocks, ahead) != 0) {
        stream->reader->error = ahead->reader_error;
        free_blocks(ahead);
        return NULL;
    }
    return ahead;
}

/* Waits until the next block is filled. Returns false at the end of the stream. */
static bool next_block(struct read_ahead *ahead) {
    bool some;

    pthread_mutex_lock(&ahead->lock);
    while (ahead->filled == ahead->emptied && !ahead->ended) {
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    }
    some = ahead->filled > ahead->emptied;
    pthread_mutex_unlock(&ahead->lock);
    return some;
}

bool read_ahead_next(struct read_ahead *ahead, struct stream_record *record) {
    const struct block *block = &ahead->blocks[ahead->emptied % BLOCKS];

    if (ahead->next > 0 && ahead->next == block->count) {
        pthread_mutex_lock(&ahead->lock);
        if (ahead->filled - ++ahead->emptied == BLOCKS / 2) {
            pthread_cond_signal(&ahead->changed);
        }
        pthread_mutex_unlock(&ahead->lock);
        block = &ahead->blocks[ahead->emptied % BLOCKS];
        ahead->next = 0;
    }
    if (ahead->next == 0 && (!next_block(ahead) || block->count == 0)) {
        return false;
    }
    *record = block->records[ahead->next++];
    return true;
}

void read_ahead_stop(struct read_ahead *ahead) {
    if (ahead == NULL || ahead->joined) {
        return;
    }
    pthread_mutex_lock(&ahead->lock);
    ahead->stopped = true;
    pthread_cond_signal(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
    pthread_join(ahead->thread, NULL);
    ahead->joined = true;
    ahead->stream->reader->error = ahead->reader_error;
    if (reader_failed(ahead->stream->reader) && ahead->reader_error->status == EXIT_DONE) {
        *ahead->reader_error = ahead->error;
    }
}

void read_ahead_close(struct read_ahead *ahead) {
    read_ahead_stop(ahead);
    if (ahead != NULL) {
        free_blocks(ahead);
    }
}

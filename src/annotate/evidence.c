#include "annotate/evidence.h"

/* The transactions around an I/O: the last that was committed before it, and the two behind that.
 */
struct around {
    uint32_t before, next, after_next;
    bool behind_horizon; /* there is one before it */
};

static struct around find_around(const struct commits *commits, int64_t time) {
    size_t count = commits_before(commits, time), last = commits->count - 1;

    return (struct around){
        .before = count > 0 ? (uint32_t)(count - 1) : 0,
        .next = (uint32_t)(count < last ? count : last),
        .after_next = (uint32_t)(count + 1 < last ? count + 1 : last),
        .behind_horizon = count > 0,
    };
}

/* Whose a block was, by the first of these states that says so: `*state`. ext4 gives a freed block
 * to another file only when the transaction that freed it was committed, and data are written
 * before the commit that makes them known, which may be one further than the next. So does F2FS,
 * but with the next checkpoint. */
static const struct map_past *find_past(const struct file_map *map, const struct around *around,
                                        uint64_t block, bool is_write, uint32_t *state) {
    const uint32_t states[] = {around->before, around->next, around->after_next};
    size_t count = is_write && map->turns == 0 ? 3 : 2;

    for (size_t i = around->behind_horizon ? 0 : 1; i < count; i++) {
        const struct map_past *past = file_map_find_past(map, block, states[i]);

        if (past != NULL) {
            *state = states[i];
            return past;
        }
    }
    return NULL;
}

/* What the image after the trace says alone: likely; or proven, when that before it says the same.
 * A file that had the block before and has it afterwards had it in between: whoever else gets it
 * frees it first. Where the two differ, the one before says nothing: the block has changed hands
 * since. */
static enum io_evidence word_of_images(const struct witnesses *witnesses, uint64_t block,
                                       const struct map_extent *now) {
    const struct map_extent *then =
        witnesses->before == NULL ? NULL : file_map_find(witnesses->before, block);
    const struct map_file *file = &witnesses->map->files.items[now->file], *same;

    if (then == NULL || then->file == 0) {
        return IO_EVIDENCE_LIKELY_IMAGE;
    }
    same = &witnesses->before->files.items[then->file];
    return same->inode == file->inode && same->generation == file->generation
               ? IO_EVIDENCE_BOTH_IMAGES
               : IO_EVIDENCE_LIKELY_IMAGE;
}

/* Of blocks whose past the journal does not have, by what the image says of them. */
static struct evidence by_image(const struct witnesses *witnesses, uint64_t block,
                                const struct map_extent *now, const struct around *around) {
    uint32_t touched = witnesses->map->files.items[now->file].touched;
    struct evidence evidence = {
        .file = now->file, .class = now->class, .past = true, .then = around->before};

    if (!around->behind_horizon || witnesses->map->turns != 0 ||
        (touched > 0 && touched - 1 > around->after_next)) {
        /* Its inode was written later only: it may have got the block then. Old
         * nodes of F2FS, which might tell, are there by chance. */
        evidence.word = word_of_images(witnesses, block, now);
    } else if (touched == 0) {
        evidence.word = IO_EVIDENCE_IMAGE;
    } else {
        /* The journal knows its earlier versions, and they do not have the block. */
        evidence = (struct evidence){.word = IO_EVIDENCE_NONE};
    }
    return evidence;
}

static struct evidence by_journal(const struct map_extent *now, const struct map_past *past,
                                  const struct around *around, uint32_t state) {
    struct evidence evidence = {
        .file = past->file, .class = past->class, .past = true, .then = state};

    if (past->doubtful || !around->behind_horizon) {
        evidence.word = IO_EVIDENCE_LIKELY_JOURNAL;
    } else if (now == NULL) {
        evidence.word = IO_EVIDENCE_JOURNAL;
    } else {
        evidence.word =
            now->file == past->file ? IO_EVIDENCE_IMAGE : IO_EVIDENCE_JOURNAL_OVER_IMAGE;
    }
    return evidence;
}

struct evidence evidence_find(const struct witnesses *witnesses, uint64_t block, int64_t time,
                              bool is_write) {
    const struct map_extent *now = file_map_find(witnesses->map, block);
    const struct map_past *past;
    struct around around;
    uint32_t state;

    if (now != NULL && (!block_class_moves(now->class) || witnesses->commits->count == 0)) {
        return (struct evidence){
            .file = now->file,
            .class = now->class,
            .word = block_class_moves(now->class) ? word_of_images(witnesses, block, now)
                                                  : IO_EVIDENCE_IMAGE,
        };
    }
    if (witnesses->commits->count == 0) {
        return (struct evidence){.word = IO_EVIDENCE_NONE};
    }
    around = find_around(witnesses->commits, time);
    past = find_past(witnesses->map, &around, block, is_write, &state);
    if (past != NULL && (around.behind_horizon || now == NULL)) {
        return by_journal(now, past, &around, state);
    }
    return now != NULL ? by_image(witnesses, block, now, &around)
                       : (struct evidence){.word = IO_EVIDENCE_NONE};
}

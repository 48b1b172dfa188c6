#include "compare/groups.h"

#include <stdlib.h>
#include <string.h>

/* The group of that name; made when there is none. Groups are few, but not so few that all may be
 * looked at for each: both sides mostly have them in the same order. */
static bool find(struct compare_groups *groups, const char *name, size_t hint, size_t *place,
                 struct error *error) {
    size_t capacity = 2 * groups->capacity + 16;
    struct compare_group *grown;

    for (size_t i = 0; i < groups->count; i++) {
        *place = (hint + i) % groups->count;
        if (strcmp(groups->groups[*place].name, name) == 0) {
            return true;
        }
    }
    if (groups->count == COMPARE_GROUPS) {
        return error_set(error,
                         "the two have more than %d groups of values, which are not compared: "
                         "choose fewer with filters",
                         COMPARE_GROUPS);
    }
    if (groups->count == groups->capacity) {
        grown = realloc(groups->groups, capacity * sizeof *grown);
        if (grown == NULL) {
            return error_no_memory(error);
        }
        groups->groups = grown;
        groups->capacity = capacity;
    }
    *place = groups->count;
    groups->groups[*place] = (struct compare_group){.name = strdup(name)};
    if (groups->groups[*place].name == NULL) {
        return error_no_memory(error);
    }
    groups->count++;
    return true;
}

static sqlite3_stmt *prepare(struct scratch *scratch, const char *sql, const struct value *part,
                             struct error *error) {
    sqlite3_stmt *select = scratch_prepare(scratch, sql, error);

    if (select != NULL) {
        sqlite3_bind_text64(select, 1, part->bytes == NULL ? "" : part->bytes, part->length,
                            SQLITE_STATIC, SQLITE_UTF8);
    }
    return select;
}

static bool read_totals(struct compare_group *group, enum side side, struct scratch *scratch,
                        const struct value *part, struct error *error) {
    sqlite3_stmt *select = prepare(
        scratch, "SELECT count, mean, max FROM temp.distribution WHERE name = ?1", part, error);
    bool row = false;
    bool done = select != NULL && database_step(scratch->database, select, &row, error);

    if (done && row) {
        group->counts[side] = sqlite3_column_int64(select, 0);
        group->means[side] = sqlite3_column_int64(select, 1);
        group->largest[side] = sqlite3_column_int64(select, 2);
    }
    sqlite3_finalize(select);
    return done;
}

static bool read_quantiles(struct compare_group *group, enum side side, struct scratch *scratch,
                           const struct value *part, struct error *error) {
    sqlite3_stmt *select = prepare(scratch,
                                   "SELECT value FROM temp.distribution_quantile WHERE name = ?1"
                                   " ORDER BY thousandths",
                                   part, error);
    bool row = true, done = select != NULL;

    for (int i = 0; done && row && i < DISTRIBUTION_QUANTILE_COUNT; i++) {
        done = database_step(scratch->database, select, &row, error);
        if (done && row) {
            group->quantiles[side][i] = sqlite3_column_int64(select, 0);
        }
    }
    sqlite3_finalize(select);
    return done;
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* Makes room for the blocks, if there are any. */
static bool make_room(struct compare_cut *cut, struct scratch *scratch, const struct value *part,
                      struct error *error) {
    sqlite3_stmt *select =
        prepare(scratch,
                "SELECT max(block) + 1, min(bucket), max(bucket) - min(bucket) + 1"
                " FROM temp.distribution_block WHERE name = ?1",
                part, error);
    bool row = false;
    bool done = select != NULL && database_step(scratch->database, select, &row, error);

    if (done && row && sqlite3_column_type(select, 0) == SQLITE_INTEGER) {
        cut->blocks = (size_t)sqlite3_column_int64(select, 0);
        cut->least = sqlite3_column_int64(select, 1);
        cut->places = (size_t)sqlite3_column_int64(select, 2);
        cut->counts = calloc(cut->blocks * cut->places, sizeof *cut->counts);
        done = cut->counts != NULL || error_no_memory(error);
    }
    sqlite3_finalize(select);
    return done;
}

static bool read_blocks(struct compare_cut *cut, struct scratch *scratch, const struct value *part,
                        struct error *error) {
    sqlite3_stmt *select;
    bool row = true, done;

    if (!make_room(cut, scratch, part, error) || cut->counts == NULL) {
        return error->status == EXIT_DONE;
    }
    select =
        prepare(scratch, "SELECT block, bucket, count FROM temp.distribution_block WHERE name = ?1",
                part, error);
    done = select != NULL;
    while (done && row) {
        done = database_step(scratch->database, select, &row, error);
        if (done && row) {
            size_t block = (size_t)sqlite3_column_int64(select, 0);
            size_t place = (size_t)(sqlite3_column_int64(select, 1) - cut->least);

            cut->counts[block * cut->places + place] = (uint32_t)sqlite3_column_int64(select, 2);
        }
    }
    sqlite3_finalize(select);
    return done;
}

/* Puts the blocks of `from`, which is empty then, behind those of `cut`. */
static bool append_blocks(struct compare_cut *cut, struct compare_cut *from, struct error *error) {
    int64_t least = cut->blocks == 0 || from->least < cut->least ? from->least : cut->least;
    int64_t end_cut = cut->least + (int64_t)cut->places, end = from->least + (int64_t)from->places;
    struct compare_cut both = {.blocks = cut->blocks + from->blocks, .least = least};

    if (from->blocks == 0) {
        return true;
    }
    end = cut->blocks > 0 && end_cut > end ? end_cut : end;
    both.places = (size_t)(end - least);
    both.counts = calloc(both.blocks * both.places, sizeof *both.counts);
    if (both.counts == NULL) {
        return error_no_memory(error);
    }
    for (size_t i = 0; i < both.blocks; i++) {
        const struct compare_cut *one = i < cut->blocks ? cut : from;
        size_t block = i < cut->blocks ? i : i - cut->blocks;

        memcpy(both.counts + i * both.places + (one->least - least),
               one->counts + block * one->places, one->places * sizeof *one->counts);
    }
    free(cut->counts);
    free(from->counts);
    *cut = both;
    *from = (struct compare_cut){.blocks = 0};
    return true;
}

static bool add_blocks(struct compare_group *group, enum side side, struct scratch *scratch,
                       const struct value *part, struct error *error) {
    struct compare_cut cut = {.blocks = 0};
    bool done =
        read_blocks(&cut, scratch, part, error) && append_blocks(&group->cuts[side], &cut, error);

    free(cut.counts);
    return done;
}

/* A second one of that name, which --match or --strip made equal, is passed over: distributions are
 * not added up. */
bool compare_groups_read(struct compare_groups *groups, enum side side, enum compare_read what,
                         struct scratch *scratch, const struct value *part, const char *name,
                         size_t *place, struct error *error) {
    struct compare_group *group;

    if (!find(groups, name, *place, place, error)) {
        return false;
    }
    group = &groups->groups[*place];
    if (what == READ_BLOCKS) {
        return add_blocks(group, side, scratch, part, error);
    }
    if (group->has[side]) {
        return true;
    }
    group->has[side] = true;
    return read_totals(group, side, scratch, part, error) &&
           read_quantiles(group, side, scratch, part, error) &&
           (what == READ_TOTALS || add_blocks(group, side, scratch, part, error));
}

void compare_groups_free(struct compare_groups *groups) {
    for (size_t i = 0; i < groups->count; i++) {
        free(groups->groups[i].name);
        free(groups->groups[i].cuts[SIDE_A].counts);
        free(groups->groups[i].cuts[SIDE_B].counts);
    }
    free(groups->groups);
    *groups = (struct compare_groups){0};
}

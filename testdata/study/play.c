#include "play.h"

#include <string.h>

/* `sizes` are drawn evenly, in blocks of 512 bytes. */
typedef struct {
    uint16_t sizes[SIZES];
    uint32_t reach;      /* sectors that the file has */
    uint16_t sequential; /* in 1000, when the last I/O was nearby */
} Shape;

static const Shape shapes[PROFILES] = {
    [PAGES] = {{8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 16, 16, 24, 32}, 4096, 150},
    [LOGS] = {{8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 16, 16, 16, 24, 24, 32, 64}, 1024, 450},
    [COMMITS] = {{8, 8, 8, 8, 16, 16, 16, 24, 24, 24, 32, 32, 40, 48, 56, 64, 64, 72, 96, 128},
                 65536,
                 400},
    [STREAMS] = {{8,   8,   16,  32,  64,  64,  128, 128, 128,  256,
                  256, 256, 256, 256, 512, 512, 512, 512, 1024, 1024},
                 16384,
                 850},
    [MIXED] = {{8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 16, 16, 16, 24, 32, 32, 64, 64, 128, 256}, 2048, 350},
};

int is_read(Class class) {
    return class == READ || class == READSYNC;
}

/* Spreads the I/Os of the hour over its minutes, unevenly. */
static void start_hour(Player *player) {
    uint64_t total = player->plan.hours[(FIRST_HOUR + player->hour) % HOURS];
    uint64_t sums[60];
    uint64_t sum = 0, before = 0;
    for (int i = 0; i < 60; i++) {
        sum += 1 + random_below(&player->random, 9);
        sums[i] = sum;
    }
    for (int i = 0; i < 60; i++) {
        uint64_t after = total * sums[i] / sum;
        player->minutes[i] = (uint32_t)(after - before);
        before = after;
    }
    player->minute = 0;
    player->done = 0;
}

void start_playing(Player *player, unsigned user, uint32_t total) {
    memset(player, 0, sizeof *player);
    player->plan = make_plan(user, total);
    player->random.state = UINT64_C(0x140426190000) + user;
    player->left = total;
    for (unsigned row = 0; row < row_count; row++) {
        for (unsigned i = 0; i < CLASSES; i++) {
            player->row_left[row] += player->plan.cells[row][i];
        }
    }
    start_hour(player);
}

/* Time of the next completion. Each has a slot of its minute; its first moments stay free, so
 * that it is issued in the same minute.
 */
static int64_t next_time(Player *player) {
    int64_t slot, start;
    while (player->done == player->minutes[player->minute]) {
        player->done = 0;
        if (++player->minute == 60) {
            player->hour++;
            require(player->hour < HOURS, "the hours have fewer I/Os than the day");
            start_hour(player);
        }
    }
    slot = (US_PER_MINUTE - MAX_LATENCY) / player->minutes[player->minute];
    require(slot > 0, "too many I/Os for one minute");
    start = (player->hour * 60 + player->minute) * US_PER_MINUTE + MAX_LATENCY;
    return start + slot * player->done++ + random_below(&player->random, (uint32_t)slot);
}

/* The hours from the start of the study until this row may be played. */
static unsigned hours_until(unsigned row) {
    return hour_of(row) ? (hour_of(row) + HOURS - FIRST_HOUR) % HOURS : 0;
}

static uint32_t left_now(const Player *player, unsigned row) {
    return hours_until(row) <= player->hour ? player->row_left[row] : 0;
}

/* A row with an hour is played first in that hour. */
static int is_due(const Player *player, unsigned row) {
    return hour_of(row) && hours_until(row) == player->hour && player->row_left[row];
}

/* Draws one of those I/Os that may be played now. */
static uint32_t draw_number(Player *player, unsigned *row) {
    uint32_t now = 0, number;
    for (unsigned i = 0; i < row_count; i++) {
        if (is_due(player, i)) {
            *row = i;
            return random_below(&player->random, player->row_left[i]);
        }
        now += left_now(player, i);
    }
    require(now > 0, "what is left has to wait for its hour");
    number = random_below(&player->random, now);
    for (*row = 0; number >= left_now(player, *row); (*row)++) {
        number -= left_now(player, *row);
    }
    return number;
}

/* Draws without putting back, so the sums come out as planned. */
static const Row *draw_row(Player *player, Class *class) {
    unsigned row = 0, which = 0;
    uint32_t number = draw_number(player, &row);
    while (number >= player->plan.cells[row][which]) {
        number -= player->plan.cells[row][which++];
    }
    player->left--;
    player->row_left[row]--;
    player->plan.cells[row][which]--;
    *class = (Class)which;
    return &rows[row];
}

static const Area *area_of(Partition partition, unsigned file) {
    unsigned number = 0;
    while (areas[number].partition != partition) {
        number++;
    }
    return &areas[number + (partition == PART_ETC ? file % 2 : 0)];
}

/* Where a file begins: always at the same place. */
static uint32_t file_start(const Row *row, const Area *area, unsigned file) {
    uint64_t hash = ((uint64_t)(row - rows) * 1000 + file + 1) * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t room = area->sectors - shapes[habits[row->habit].profile].reach - MAX_BLOCKS;
    return area->first + (uint32_t)((hash >> 32) % (room / 8)) * 8;
}

/* Whether another I/O that is still on its way touches these sectors. Then a completion could be
 * taken for the other's.
 */
static int is_busy(const Player *player, const Io *io) {
    uint64_t back = 1;
    for (; back <= player->played && back <= IN_FLIGHT; back++) {
        uint64_t at = (player->played - back) % IN_FLIGHT;
        if (player->flying[at].completed < io->issued) {
            return 0;
        }
        if (io->sector < player->flying[at].end &&
            player->flying[at].first < io->sector + io->blocks) {
            return 1;
        }
    }
    require(back > player->played, "too many I/Os are on their way");
    return 0;
}

static void place(Player *player, const Row *row, const Area *area, unsigned file, Io *io) {
    const Shape *shape = &shapes[habits[row->habit].profile];
    int direction = is_read(io->class) ? 0 : 1;
    uint32_t end = area->first + area->sectors;
    int follow = player->end_areas[direction] == area &&
                 random_chance(&player->random, shape->sequential) &&
                 player->ends[direction] + io->blocks <= end;
    io->sector = player->ends[direction];
    while (!follow || is_busy(player, io)) {
        io->sector =
            file_start(row, area, file) + random_below(&player->random, shape->reach / 8) * 8;
        follow = 1;
        /* A small file may be on its way as a whole; its neighbour is not. */
        file++;
    }
    player->ends[direction] = io->sector + io->blocks;
    player->end_areas[direction] = area;
    player->flying[player->played % IN_FLIGHT].first = io->sector;
    player->flying[player->played % IN_FLIGHT].end = io->sector + io->blocks;
    player->flying[player->played % IN_FLIGHT].completed = io->completed;
    player->played++;
}

/* Most are quick, reads more so: the least of several draws. */
static int64_t draw_latency(Player *player, Class class) {
    static const int draws[CLASSES] = {[READ] = 6, [READSYNC] = 5, [WRITE] = 2, [WRITESYNC] = 3};
    uint32_t least = MAX_LATENCY - MIN_LATENCY;
    for (int i = 0; i < draws[class]; i++) {
        uint32_t drawn = random_below(&player->random, MAX_LATENCY - MIN_LATENCY + 1);
        least = drawn < least ? drawn : least;
    }
    return MIN_LATENCY + least;
}

/* Draws without putting back until all of a row's sizes had their turn, so that its bytes come out
 * as planned, too.
 */
static uint32_t draw_size(Player *player, const Row *row) {
    const Shape *shape = &shapes[habits[row->habit].profile];
    uint8_t *bag = player->sizes[row - rows], drawn;
    uint8_t *left = &player->sizes_left[row - rows];
    uint32_t which;
    if (*left == 0) {
        for (*left = 0; *left < SIZES; (*left)++) {
            bag[*left] = *left;
        }
    }
    which = random_below(&player->random, *left);
    drawn = bag[which];
    bag[which] = bag[--*left];
    return shape->sizes[drawn];
}

/* The first row of a process lends it its number. */
static uint32_t pid_of(const Row *row) {
    uint32_t number = 0;
    while (strcmp(rows[number].process, row->process) != 0) {
        number++;
    }
    return 120 + number * 37;
}

int play_next(Player *player, Io *io) {
    const Row *row;
    unsigned file;
    if (player->left == 0) {
        return 0;
    }
    memset(io, 0, sizeof *io);
    io->completed = next_time(player);
    row = draw_row(player, &io->class);
    io->issued = io->completed - draw_latency(player, io->class);
    io->blocks = draw_size(player, row);
    io->type = row->type;
    io->block = habits[row->habit].block;
    io->flush = row->habit == COMMITTED && random_chance(&player->random, 300);
    io->process = row->process;
    io->pid = pid_of(row);
    if (io->class == WRITESYNC && row->type >= TYPE_DB && row->type <= TYPE_DB_TEMP) {
        player->transaction += row->type == TYPE_ROLLBACK;
        io->transaction = player->transaction + 1;
    }
    file = random_below(&player->random, row->files);
    if (row->name) {
        snprintf(io->file, sizeof io->file, "%s%02u%s", row->name, file, row->ending);
    }
    place(player, row, area_of(row->partition, file), file, io);
    return 1;
}

#include "account.h"

#include "record.h"

#include <stdlib.h>

const uint32_t thread_numbers[THREADS] = {300, 0x80000001, 7, 12};

struct account *account_new(bool keep) {
    struct account *account = allocate(1, sizeof *account);

    account->keep = keep;
    return account;
}

void account_free(struct account *account) {
    free(account->calls);
    free(account->rows);
    free(account->happenings);
    free(account->codes);
    free(account);
}

static void happened(struct account *account, unsigned type, unsigned thread,
                     enum function function, uint64_t time) {
    if (account->records++ == 0) {
        account->origin = time;
    }
    account->latest = time > account->latest ? time : account->latest;
    if (account->keep) {
        account->happenings = grow(account->happenings, account->happening_count,
                                   &account->happening_capacity, sizeof *account->happenings);
        account->happenings[account->happening_count++] =
            (struct happening){type, thread, function, time - account->origin};
    }
}

/* For the record that happened last. */
static void add_row(struct account *account, enum row_kind kind, unsigned thread,
                    enum function function, uint64_t time, size_t call) {
    account->rows =
        grow(account->rows, account->row_count, &account->row_capacity, sizeof *account->rows);
    account->rows[account->row_count++] = (struct row){
        .kind = kind,
        .function = function,
        .thread = thread,
        .time = time - account->origin,
        .position = account->records - 1,
        .call = call,
    };
}

static void add_code(struct account *account, enum function function, int32_t code) {
    if (account->keep && code != 0) {
        account->codes = grow(account->codes, account->code_count, &account->code_capacity,
                              sizeof *account->codes);
        account->codes[account->code_count++] = (struct return_code){function, code};
    }
}

static void add_call(struct account *account, unsigned thread, enum function function,
                     uint64_t time, unsigned bytes) {
    unsigned depth = account->depth[thread];

    account->calls =
        grow(account->calls, account->call_count, &account->call_capacity, sizeof *account->calls);
    account->calls[account->call_count] = (struct call){
        .function = function,
        .thread = thread,
        .start = time - account->origin,
        .position = account->records - 1,
        .bytes = bytes,
        .parent = depth > 0 ? account->stack[thread][depth - 1].call : NO_CALL,
    };
    add_row(account, CALL_ROW, thread, function, time, account->call_count);
}

void account_entry(struct account *account, unsigned thread, enum function function, uint64_t time,
                   unsigned bytes) {
    require(account->depth[thread] < DEPTH, "no more calls open than there is room for");
    happened(account, ENTRY, thread, function, time);
    account->figures[function].calls++;
    if (account->keep) {
        add_call(account, thread, function, time, bytes);
    }
    account->stack[thread][account->depth[thread]++] =
        (struct open_call){function, time, 0, account->call_count};
    account->open[thread][function]++;
    account->call_count += account->keep;
}

static void count_duration(struct figures *figures, uint64_t duration, uint64_t self,
                           bool outermost) {
    figures->minimum =
        figures->known == 0 || duration < figures->minimum ? duration : figures->minimum;
    figures->maximum = duration > figures->maximum ? duration : figures->maximum;
    figures->known++;
    figures->sum += duration;
    figures->self += self;
    figures->outermost += outermost;
    figures->total += outermost ? duration : 0;
}

/* Ends the innermost call. */
static struct open_call end_call(struct account *account, unsigned thread, uint64_t time) {
    unsigned depth = --account->depth[thread];
    struct open_call ended = account->stack[thread][depth];
    uint64_t duration = time - ended.start;

    account->open[thread][ended.function]--;
    if (depth > 0) {
        account->stack[thread][depth - 1].callees += duration;
    }
    count_duration(&account->figures[ended.function], duration, duration - ended.callees,
                   account->open[thread][ended.function] == 0);
    if (account->keep) {
        struct call *call = &account->calls[ended.call];

        call->known = true;
        call->duration = duration;
        call->callees = ended.callees;
    }
    return ended;
}

void account_exit(struct account *account, unsigned thread, unsigned vanished, uint64_t time,
                  int32_t code, unsigned bytes) {
    struct open_call ended;

    while (vanished-- > 0) {
        end_call(account, thread, time);
    }
    ended = end_call(account, thread, time);
    happened(account, EXIT, thread, ended.function, time);
    add_code(account, ended.function, code);
    if (account->keep) {
        struct call *call = &account->calls[ended.call];

        call->returned = true;
        call->code = code;
        call->bytes += bytes;
    }
}

void account_stray(struct account *account, unsigned thread, enum function function, uint64_t time,
                   int32_t code) {
    happened(account, EXIT, thread, function, time);
    add_code(account, function, code);
    if (account->keep) {
        add_row(account, STRAY_ROW, thread, function, time, NO_CALL);
    }
}

void account_data(struct account *account, unsigned thread, enum function function, uint64_t time) {
    happened(account, DATA, thread, function, time);
    if (account->keep) {
        add_row(account, DATA_ROW, thread, function, time, NO_CALL);
    }
}

void account_end(struct account *account) {
    for (unsigned thread = 0; thread < THREADS; thread++) {
        while (account->depth[thread] > 0) {
            struct open_call ended = end_call(account, thread, account->latest);

            if (account->keep) {
                account->calls[ended.call].open = true;
            }
        }
    }
}

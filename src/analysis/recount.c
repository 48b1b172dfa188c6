#include "analysis/recount.h"

#include <stdlib.h>

#include "base/words.h"
#include "select/functions.h"

bool recount_register(struct database *database, const struct config *config, struct error *error) {
    return select_functions_register(database, config, error) && passes_register(database, error);
}

static bool run(struct recount *recount, const struct config *config, const char *names,
                struct error *error) {
    const struct passes passes = {
        .selection = &recount->selection,
        .config = config,
        .never_rollups = true,
    };
    struct wanted_analysis *wanted;
    size_t all = 0, count = 0;
    bool done;

    while (analyses[all] != NULL) {
        all++;
    }
    wanted = calloc(all, sizeof *wanted);
    for (size_t i = 0; wanted != NULL && i < all; i++) {
        if (word_in(names, analyses[i]->name)) {
            wanted[count].analysis = analyses[i];
            wanted_defaults(&wanted[count++]);
        }
    }
    done = wanted != NULL ? passes_run(&passes, wanted, count, error) : error_no_memory(error);
    free(wanted);
    return done;
}

bool recount_open(struct recount *recount, struct database *database, const struct config *config,
                  const struct catalog_trace *const *traces, size_t count, const char *names,
                  struct error *error) {
    const struct selection_request request = {
        .traces = traces,
        .count = count,
        .all_actions = true,
    };

    *recount = (struct recount){0};
    scratch_init(&recount->scratch, database, 0);
    return selection_open(&recount->selection, &recount->scratch, &request, error) &&
           run(recount, config, names, error);
}

void recount_close(struct recount *recount) {
    selection_close(&recount->selection);
    if (recount->scratch.database != NULL) {
        scratch_free(&recount->scratch);
    }
}

#include "import/reading.h"

#include "import/context.h"

static bool read_source(struct import_run *run, void *state, size_t position,
                        struct open_source *source) {
    bool done;

    sources_turn(run, position, &source->reader);
    done = run->importer->read(run->traces, state, &source->reader, run->error) &&
           !reader_failed(&source->reader);
    done = done && source_finish(run, position, source);
    sources_turn(run, position, NULL);
    return done;
}

/* Opens a file unless it is open already, and reads it when it is of the right format. */
static bool next_source(struct import_run *run, void *state, size_t position,
                        struct open_source *source) {
    bool use = true, done = true;

    if (source->input == NULL) {
        done = source_open(run, position, source, run->error) &&
               source_choose(run, position, &source->reader, &use, run->error);
    }
    done = done && (!use || read_source(run, state, position, source));
    source_close(source);
    return done;
}

bool read_sources(struct import_run *run, void *state, struct open_source *first) {
    bool done = true;

    for (size_t i = run->source; done && i < run->source_count; i++) {
        done = next_source(run, state, i, first);
    }
    return done;
}

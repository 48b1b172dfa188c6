/* Importer of measured values in declared formats; see declared.h.
 *
 * A line is an event, in the order of the log, which has no times. The measure is its operation,
 * the unit is the operation's component, the test is its actor. The unit comes from the line or the
 * declaration; without one, a line is rejected. Values are rounded to six decimals; a note counts
 * those with more.
 *
 * Fills: event (time: index in the log, operation, actor, address: the run, value: millionths),
 * name (kinds measure and unit), actor.
 */
#include "declared.h"
#include "lines.h"

struct results {
    int64_t hash; /* hash of the declaration; 0: a new trace */
    int64_t values;
    int64_t rounded;
};

static void begin_results(struct import *import, void *context) {
    const struct declaration *declaration = import_declaration(import);
    const struct results *state = context;

    import_clock(import, &(struct import_clock){CLOCK_UNIT_RECORDS, "", 0});
    import_variant(import, "text");
    if (state->hash != 0 && (uint64_t)state->hash != declaration->hash) {
        error_set(import_failure(import), declared_otherwise, declaration->name);
    }
}

static void declared_results_take_line(struct import *import, struct results *state,
                                       const struct declared_cutter *cutter,
                                       const struct line *line) {
    struct declared_line parsed;
    const char *damage = declared_parse(cutter, line->text, &parsed);

    if (damage == NULL) {
        state->rounded += parsed.rounded;
        measured_add(import, &state->values, &parsed.measured);
    } else if (!declared_is_header(cutter, line->text)) {
        lines_reject(import, line, damage);
    }
}

static void read_results(struct import *import, void *state, struct reader *reader) {
    const struct declaration *declaration = import_declaration(import);
    struct declared_cutter cutter;
    const char *damage;
    struct line line;
    size_t length;

    reader_skip_mark(reader);
    length = reader_fill(reader, READER_WINDOW);
    damage = declared_cutter_open(&cutter, declaration,
                                  declared_first_line(declaration, reader_bytes(reader), length));
    if (damage != NULL && length > 0) {
        import_refuse(import, "%s", damage);
    } else {
        while (lines_next(import, reader, lines_too_long, &line)) {
            if (!declared_is_nothing(declaration, line.text)) {
                declared_results_take_line(import, state, &cutter, &line);
            }
        }
    }
    declared_cutter_close(&cutter);
}

static void end_results(struct import *import, void *context, bool failed) {
    const struct declaration *declaration = import_declaration(import);
    struct results *state = context;

    if (!failed) {
        state->hash = (int64_t)declaration->hash;
        import_remark_count(import, state->rounded,
                            "%lld values have more than 6 decimals: they are rounded");
    }
}

static const struct resume_value resume[] = {
    {"declaration", offsetof(struct results, hash), 0, 0, true},
    {"values", offsetof(struct results, values), 0, INT64_MAX, false},
    {0},
};

void declared_results_importer(struct importer *importer) {
    *importer = (struct importer){
        .name = importer->name,
        .description = importer->description,
        .line = importer->line,
        .made_of = importer->made_of,
        .variants = importer->variants,
        .kinds = 1u << TRACE_RESULTS,
        .columns = MEASURED_COLUMNS,
        .meanings = {[TRACE_RESULTS] = measured_meanings},
        .facts = {[TRACE_RESULTS] = FACTS_OF_LOG(0)},
        .declaration = importer->declaration,
        .state_size = sizeof(struct results),
        .sniff = importer->sniff,
        .resume = resume,
        .begin = begin_results,
        .read = read_results,
        .end = end_results,
        .dump = measured_dump,
    };
}

/* All exporters. Add a new one here, and nowhere else. */
#include <string.h>

#include "base/words.h"
#include "export/export.h"

#define EXPORTERS(ROW)                                                                             \
    ROW(blktrace)                                                                                  \
    ROW(chrome)                                                                                    \
    ROW(columns)                                                                                   \
    ROW(csv)                                                                                       \
    ROW(fio)                                                                                       \
    ROW(fio_old)                                                                                   \
    ROW(mobigen)                                                                                   \
    ROW(msr)                                                                                       \
    ROW(oracle)                                                                                    \
    ROW(oracle_csv)                                                                                \
    ROW(parquet)                                                                                   \
    ROW(rowbinary)                                                                                 \
    ROW(speedscope)

#define DECLARE(name) extern const struct exporter name##_exporter;
EXPORTERS(DECLARE)

#define POINT(name) &name##_exporter,
const struct exporter *const exporters[] = {EXPORTERS(POINT) NULL};

const struct exporter *exporter_choose(const char *typed, struct error *error) {
    struct word_list names = {0};
    const char *chosen;
    size_t i = 0;

    for (; exporters[i] != NULL; i++) {
        word_list_add(&names, exporters[i]->name);
    }
    chosen = word_list_choose(&names, "export format", typed, NULL, error);
    for (i = 0; chosen != NULL && exporters[i] != NULL && strcmp(exporters[i]->name, chosen) != 0;
         i++) {
    }
    word_list_free(&names);
    return chosen == NULL ? NULL : exporters[i];
}

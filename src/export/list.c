/* All exporters. Add a new one here, and nowhere else. */
#include <string.h>

#include "base/words.h"
#include "export/export.h"

extern const struct exporter blktrace_exporter;
extern const struct exporter chrome_exporter;
extern const struct exporter columns_exporter;
extern const struct exporter csv_exporter;
extern const struct exporter fio_exporter;
extern const struct exporter fio_old_exporter;
extern const struct exporter mobigen_exporter;
extern const struct exporter msr_exporter;
extern const struct exporter oracle_exporter;
extern const struct exporter oracle_csv_exporter;
extern const struct exporter parquet_exporter;
extern const struct exporter rowbinary_exporter;
extern const struct exporter speedscope_exporter;

/* One per line: clang-format would fill the lines. */
/* clang-format off */
const struct exporter *const exporters[] = {
    &blktrace_exporter,
    &chrome_exporter,
    &columns_exporter,
    &csv_exporter,
    &fio_exporter,
    &fio_old_exporter,
    &mobigen_exporter,
    &msr_exporter,
    &oracle_exporter,
    &oracle_csv_exporter,
    &parquet_exporter,
    &rowbinary_exporter,
    &speedscope_exporter,
    NULL,
};
/* clang-format on */

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

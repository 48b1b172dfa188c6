/* All importers. A new one is added here and nowhere else. */
#include "import/importer.h"

extern const struct importer palmist_importer;
extern const struct importer most_importer;

const struct importer *const importers[] = {
    &palmist_importer,
    &most_importer,
    NULL,
};

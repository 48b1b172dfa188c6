/* The importers of tracetool-kinds: replaces importers/list.c. */
#include "import/importer.h"

extern const struct importer several_importer, system_calls_importer;

const struct importer *const importers[] = {
    &several_importer,
    &system_calls_importer,
    NULL,
};

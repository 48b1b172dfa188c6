/* List of all sections of the configuration: those that importers define, with their keys, and the
 * general ones of src/config. Add a new section only here. */
#include "config/section.h"
#include "declared.h"
#include "dwtrace_dump.h"
#include "dwtrace_settings.h"
#include "palmist_settings.h"
#include "rmp_settings.h"

/* All sections, in the order in which messages list them. */
const struct config_section *const config_sections[] = {
    &config_applications_section,
    &palmist_section,
    &config_file_types_section,
    &config_partitions_section,
    &dwtrace_components_section,
    &dwtrace_section,
    &dwtrace_formatters_section,
    &rmp_section,
    &declared_section,
    &config_overhead_section,
    &config_modules_section,
    &config_process_names_section,
    &config_kernel_threads_section,
    &config_queries_section,
    &config_trusted_folders_section,
    NULL,
};

#include "program.h"

#include "record.h"

#include <string.h>

/* ELEMENT and ATTRIBUTE call each other, READ and ELEMENT themselves, HANDLE and SEND each other
 * over the border of a component. CLOSE and END_ELEMENT have one name. */
const struct function_entry program[FUNCTIONS] = {
    [RUN] = {0x00010001, "run", {0}, {INT32}, {HANDLE, IDLE, ELEMENT}},
    [HANDLE] = {0x00010002, "handle_event", {UINT16, POINTER}, {BOOL}, {OPEN, READ, CLOSE, SEND}},
    [IDLE] = {0x00010010, NULL, {UINT32, INT8}, {0}, {PACKET}},
    [OPEN] = {0x00020011, "open", {POINTER, STRUCT, UINT8}, {INT16}, {WRITE}},
    [READ] =
        {0x00020012, "read", {INT32, POINTER, UINT32}, {INT32, POINTER}, {READ, WRITE, PACKET}},
    [WRITE] = {0x00020017, NULL, {INT16, BOOL}, {UINT32, UINT16}, {0}},
    [CLOSE] = {0x00020014, "close", {INT32}, {0}, {0}},
    [ELEMENT] = {0x00030001,
                 "element",
                 {STRUCT, INT8},
                 {UINT8, INT8},
                 {ATTRIBUTE, ELEMENT, READ, END_ELEMENT, TEXT}},
    [ATTRIBUTE] = {0x00030002, "attribute", {POINTER, POINTER}, {STRUCT}, {ELEMENT, PACKET}},
    [END_ELEMENT] = {0x00030014, "close", {0}, {0}, {0}},
    [TEXT] = {0x00030017, NULL, {UINT8}, {UINT8}, {0}},
    [SEND] = {0xBEEF0001, NULL, {BOOL, UINT16, STRUCT}, {INT32}, {HANDLE, PACKET}},
    [PACKET] = {0xBEEFFFFF,
                NULL,
                {UINT8, INT8, BOOL, UINT16, INT16, UINT32, INT32, POINTER, STRUCT},
                {STRUCT, POINTER, INT32, UINT32, INT16, UINT16, BOOL, INT8, UINT8},
                {0}},
    [NOTE] = {0x0002001F, "note", {0}, {0}, {0}},
};

unsigned component_of(enum function function) {
    return program[function].number >> 16;
}

static const char *component_name(unsigned component) {
    return component == 1 ? "Shell" : component == 2 ? "Storage" : NULL;
}

const char *component_label(unsigned component, bool names) {
    const char *name = names ? component_name(component) : NULL;

    return name != NULL ? name : path_of("%04x", component);
}

static bool is_ambiguous(enum function function) {
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        if (i != function && program[i].name != NULL &&
            strcmp(program[i].name, program[function].name) == 0) {
            return true;
        }
    }
    return false;
}

const char *function_label(enum function function, bool names) {
    unsigned component = component_of(function);

    if (!names || program[function].name == NULL) {
        return path_of("%04x:%04x", component, program[function].number & 0xFFFF);
    }
    return is_ambiguous(function)
               ? path_of("%s:%s", component_label(component, names), program[function].name)
               : program[function].name;
}

/* Numbers in both forms; component 3 has functions but no name, 5 is in no log. */
void write_symbols(const char *path) {
    FILE *file = create_file(path);

    fputs("# Names of some components and functions of the program that generate-dwtrace plays.\n"
          "components:\n",
          file);
    for (unsigned component = 1; component <= 3; component++) {
        fprintf(file, component == 2 ? "  0x%x:\n" : "  %u:\n", component);
        if (component_name(component) != NULL) {
            fprintf(file, "    name: %s\n", component_name(component));
        }
        fputs("    functions:\n", file);
        for (unsigned i = 0; i < FUNCTIONS; i++) {
            if (component_of((enum function)i) == component && program[i].name != NULL) {
                fprintf(file, i % 2 == 0 ? "      0x%02X: %s\n" : "      %u: %s\n",
                        program[i].number & 0xFFFF, program[i].name);
            }
        }
    }
    fputs("  5:\n    name: Printer\n    functions:\n      1: print_page\n", file);
    close_file(file);
}

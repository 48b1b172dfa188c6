# Writes importers/palmos.table as C:
#
#     awk -f src/build/palmos_table.awk importers/palmos.table >build/palmos_table.c
#
# The table describes its form at its top, importers/palmos.h that of the result. The first mistake
# ends it with a message and status 1.

function fail(message) {
    printf "%s:%d: %s, at \"%s\"\n", FILENAME, lines[at], message, words[at] >"/dev/stderr"
    exit 1
}

# ---- words: each is taken from words[at] ----

function take(pattern, what) {
    if (words[at] !~ pattern)
        fail("expected " what)
    return words[at++]
}

function accept(word) {
    at += words[at] == word
    return words[at - 1] == word
}

function expect(word) {
    if (words[at] != word)
        fail("expected \"" word "\"")
    at++
}

function name(what) {
    return take("^[A-Za-z_][A-Za-z0-9_.]*$", what)
}

function number(what) {
    if (words[at] + 0 > 65535)
        fail("above 65535")
    return take("^[0-9]+$", what) + 0
}

function trap_id() {
    return take("^[A-F][0-9A-F][0-9A-F][0-9A-F]$", "a trap ID")
}

# ---- types: a type sets kind, width, elements, address and structure ----

function declare(type, what, size) {
    if (type in kinds)
        fail("type \"" type "\" is declared twice")
    kinds[type] = what
    sizes[type] = size
}

function brackets(    count) {
    expect("[")
    count = number("a number of elements")
    if (count == 0)
        fail("an array has at least one element")
    expect("]")
    return count
}

function parse_type(    type) {
    address = accept("*")
    type = name("a type")
    if (!(type in kinds))
        fail("unknown type \"" type "\"")
    kind = kinds[type]
    width = sizes[type]
    structure = kind == "STRUCT" ? "&structs[" structs[type] "]" : "NULL"
    if (kind == "OPAQUE") {
        if (!address || words[at] == "[")
            fail("the size of type \"" type "\" is not known")
        kind = "ADDRESS"
        width = 4
        address = 0
    }
    if (kind != "STRING" && width == 0)
        width = brackets()
    elements = words[at] == "[" ? brackets() : 0
    if (kind == "STRING" && address + elements > 0)
        fail("a string cannot be part of an array or behind another address")
}

function add_field(field, offset, bit, bits) {
    field_rows[field_count++] = sprintf("\"%s\", %s, %d, %d, %d, PALMOS_%s, %d, %d, %d",
        field, structure, width, elements, offset, kind, bit, bits, address)
}

function parse_member(    member, bits, place, first) {
    member = name("a member or \"}\"")
    expect(":")
    parse_type()
    if (address)
        fail("an address in a structure is a \"pointer\"")
    bits = accept("/") ? number("a number of bits") : 0
    if (bits > 0 && (kind != "UNSIGNED" || elements > 0 || bits > 8 * width))
        fail("a bit-field must fit an unsigned number")
    expect("@")
    split(take(bits > 0 ? "^[0-9]+[.][0-7]$" : "^[0-9]+$", "an offset"), place, ".")
    if (kind == "STRING") {
        kind = "ADDRESS"
        width = 4
    }
    first = 8 * place[1] + place[2]
    if (first < end)
        fail("member \"" member "\" overlaps another")
    end = first + (bits > 0 ? bits : 8 * width * (elements > 0 ? elements : 1))
    add_field(member, place[1], place[2], bits)
}

# A pointer to an item of an array, NULL if there is none.
function pointer(array, first, count) {
    return count > 0 ? "&" array "[" first "]" : "NULL"
}

# A structure is declared after its members: none is of its type.
function parse_struct(    type, size, first) {
    type = name("a type")
    size = number("a size")
    first = field_count
    end = 0
    expect("{")
    while (!accept("}"))
        parse_member()
    if (end > 8 * size)
        fail("a member of \"" type "\" is beyond its end")
    declare(type, "STRUCT", size)
    structs[type] = struct_count
    struct_rows[struct_count++] = sprintf("\"%s\", %s, %d, %d", type,
        pointer("fields", first, field_count - first), field_count - first, size)
}

# ---- traps ----

# Sets parameters to a pointer to them, and parameter_count.
function parse_parameters(    first, parameter) {
    first = field_count
    expect("(")
    while (!accept(")")) {
        if (field_count > first)
            expect(",")
        if (accept("...")) {
            kind = "REST"
            structure = "NULL"
            width = elements = address = 0
            add_field("...", 0, 0, 0)
            if (words[at] != ")")
                fail("nothing can follow \"...\"")
        } else {
            parameter = name("a parameter")
            expect(":")
            parse_type()
            add_field(parameter, 0, 0, 0)
        }
    }
    parameter_count = field_count - first
    parameters = pointer("fields", first, parameter_count)
    if (parameter_count > most_parameters)
        most_parameters = parameter_count
}

function parse_trap(    id, release) {
    id = trap_id()
    if (trap_count > 0 && id <= ids[trap_count - 1])
        fail("trap " id " is not in ascending order")
    ids[trap_count] = id
    traps[id] = trap_count
    release = take("^[0-9][.][0-9x]([^0-9].*)?$", "a release")
    since[trap_count] = 10 * substr(release, 1, 1) + substr(release, 3, 1)
    names[trap_count] = name("a name")
    if (accept("="))
        old_names[trap_count] = name("a name")
    flags[trap_count] = 0
    while (words[at] ~ /^(reserved|obsolete|dispatcher|late|reused|void)$/)
        flags[trap_count] = flags[trap_count] " | PALMOS_" toupper(words[at++])
    parameters = "NULL"
    parameter_count = 0
    if (words[at] == "(") {
        flags[trap_count] = flags[trap_count] " | PALMOS_PROTOTYPE"
        parse_parameters()
    } else if (flags[trap_count] ~ /VOID/) {
        fail("what returns nothing must have a prototype")
    }
    trap_parameters[trap_count] = parameters
    parameter_counts[trap_count++] = parameter_count
}

function parse_selectors(    trap, least, selector, function_name) {
    trap = trap_id()
    if (!(trap in traps) || flags[traps[trap]] !~ /DISPATCHER/ || traps[trap] in selectors)
        fail("trap " trap " is no dispatcher or has its selectors already")
    trap = traps[trap]
    if (take("^(D2|stack16)$", "D2 or stack16") == "stack16")
        flags[trap] = flags[trap] " | PALMOS_ON_STACK"
    selectors[trap] = selector_count
    expect("{")
    while (!accept("}")) {
        selector = number("a selector or \"}\"")
        if (selector < least)
            fail("selector " selector " is not in ascending order")
        least = selector
        function_name = name("the name of a function")
        parse_parameters()
        selector_rows[selector_count++] = sprintf("\"%s\", %s, %d, %d", function_name, parameters,
            selector, parameter_count)
    }
    selector_counts[trap] = selector_count - selectors[trap]
}

function parse_unlogged(    trap, i, found) {
    expect("{")
    while (!accept("}")) {
        trap = name("a trap or \"}\"")
        found = 0
        for (i = 0; i < trap_count; i++) {
            if (trap == names[i] || trap == old_names[i]) {
                flags[i] = flags[i] " | PALMOS_UNLOGGED"
                found = 1
            }
        }
        if (!found)
            fail("unknown trap \"" trap "\"")
    }
}

function parse_category(    category) {
    category = name("a category")
    gsub("_", " ", category)
    expect("{")
    while (!accept("}")) {
        if (words[at] in categories)
            fail("prefix \"" words[at] "\" is there twice")
        categories[name("a prefix or \"}\"")] = category
    }
}

# The category of the longest prefix.
function category_of(trap,    prefix) {
    prefix = trap
    while (prefix != "" && !(prefix in categories))
        prefix = substr(prefix, 1, length(prefix) - 1)
    if (prefix == "")
        fail("trap \"" trap "\" is of no category")
    used[prefix] = 1
    return categories[prefix]
}

function parse_statement(    statement, type) {
    statement = name("a statement")
    if (statement == "opaque") {
        type = name("a type")
        if (words[at] ~ /^[0-9]/)
            declare(type, "BYTES", number("a size"))
        else
            declare(type, "OPAQUE", 0)
    } else if (statement == "struct") {
        parse_struct()
    } else if (statement == "trap") {
        parse_trap()
    } else if (statement == "selectors") {
        parse_selectors()
    } else if (statement == "category") {
        parse_category()
    } else if (statement == "unlogged") {
        parse_unlogged()
    } else {
        fail("unknown statement \"" statement "\"")
    }
}

# ---- writing ----

function make_trap_rows(    i) {
    for (i = 0; i < trap_count; i++)
        trap_rows[i] = sprintf("\"%s\", %s, %s, %s, \"%s\", 0x%s, %d, %d, %d, %s", names[i],
            old_names[i] != "" ? "\"" old_names[i] "\"" : "NULL",
            trap_parameters[i], pointer("selectors", selectors[i], selector_counts[i]),
            category_of(names[i]), ids[i], selector_counts[i], parameter_counts[i], since[i], flags[i])
    for (i in categories)
        if (!(i in used))
            fail("no trap begins with \"" i "\"")
}

# Inserts a name where it belongs, after equal ones.
function add_name(trap_name, trap,    i) {
    for (i = name_count++; i > 0 && sorted[i - 1] > trap_name; i--) {
        sorted[i] = sorted[i - 1]
        name_rows[i] = name_rows[i - 1]
    }
    sorted[i] = trap_name
    name_rows[i] = "\"" trap_name "\", " trap
}

function write_rows(array, rows, count,    i) {
    print array " = {"
    for (i = 0; i < count; i++)
        print "    {" rows[i] "},"
    print "};\n"
}

BEGIN {
    count = split("u8 UNSIGNED 1 u16 UNSIGNED 2 u32 UNSIGNED 4 i8 SIGNED 1 i16 SIGNED 2 i32 SIGNED 4 " \
        "bool BOOLEAN 1 string STRING 0 pointer ADDRESS 4 handle ADDRESS 4 callback ADDRESS 4 " \
        "char CHARS 0 byte BYTES 0", builtin)
    for (i = 1; i < count; i += 3)
        declare(builtin[i], builtin[i + 1], builtin[i + 2])
    count = field_count = struct_count = trap_count = selector_count = name_count = 0
}

{
    sub(/#.*/, "")
    gsub(/[]:,(){}*@\/=[]/, " & ")
    for (i = 1; i <= NF; i++) {
        words[++count] = $i
        lines[count] = FNR
    }
}

END {
    lines[count + 1] = lines[count]
    for (at = 1; at <= count;)
        parse_statement()
    make_trap_rows()
    for (i = 0; i < trap_count; i++) {
        add_name(names[i], i)
        if (old_names[i] != "")
            add_name(old_names[i], i)
    }
    print "/* Written by src/build/palmos_table.awk: change importers/palmos.table instead. */"
    print "#include \"palmos.h\"\n"
    print "_Static_assert(" most_parameters " <= PALMOS_MAX_PARAMETERS, \"too many parameters\");\n"
    print "static const struct palmos_struct structs[" struct_count "];\n"
    write_rows("static const struct palmos_field fields[]", field_rows, field_count)
    write_rows("static const struct palmos_struct structs[]", struct_rows, struct_count)
    write_rows("static const struct palmos_selector selectors[]", selector_rows, selector_count)
    write_rows("const struct palmos_trap palmos_traps[]", trap_rows, trap_count)
    write_rows("const struct palmos_name palmos_names[]", name_rows, name_count)
    print "const size_t palmos_trap_count = " trap_count ";"
    print "const size_t palmos_name_count = " name_count ";"
}

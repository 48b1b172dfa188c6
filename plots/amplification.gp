# Bytes that SQLite writes for its transactions: one bar per database, mode and level. The bars of
# all files are dark, those of blocks orange. One panel per result.
# Columns: 1 database, 2 mode, 3 level, transactions, bytes, bytes_transaction.
# include: common
# include: axes
bytes = field("bytes")
each = field("bytes_transaction")
high_bytes = 0.0
stats $data using (missing(bytes) ? 1 : (high_bytes = larger(high_bytes, column(bytes)), 1)) nooutput
unit = unit_of_bytes(high_bytes)
set xlabel fit_x(unit == 1 ? "bytes written" : "written (".name_of_bytes(unit).")".(measured ? ", and per transaction" : ""))
is_row(x) = !missing(bytes)
base_name(path) = (slash_at = 0, unused = sum [k = 1:strlen(path)] (path[k:k] eq "/" ? (slash_at = k) : 0), path[slash_at + 1:*])
label(x) = is_row(0) ? shorten(measured ? base_name(strcol(1)) : strcol(1), larger(8, label_width - strlen(strcol(2)) - strlen(strcol(3)) - 4)).", " \
    .(strcol(2) eq "" ? "" : strcol(2).", ").strcol(3) : ""
bar_end(x) = is_row(0) ? column(bytes) / unit : 0
bar_colour(x) = strcol(3) eq "all files" ? 0x0072B2 : strcol(3) eq "blocks" ? 0xE69F00 : 0x86BFDD
comment(x) = !is_row(0) || missing(each) || column(bytes) == 0 ? "" : \
    bytes_in_words(column(each)).(measured ? "" : " per transaction")
comment_room = 0.5
# include: bars

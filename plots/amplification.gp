# Bytes that SQLite writes for its transactions: one bar per database, mode and level. The bars of
# all files are dark, those of blocks orange. One panel per result.
# Columns: 1 database, 2 mode, 3 level, transactions, bytes, bytes_transaction.
# include: common
# include: axes
bytes = field("bytes")
each = field("bytes_transaction")
high_bytes = 0.0
stats $data using (missing(bytes) ? 1 : (high_bytes = larger(high_bytes, column(bytes)), 1)) nooutput
unit = high_bytes >= 2.0**31 ? 2.0**30 : high_bytes >= 2.0**21 ? 2.0**20 : high_bytes >= 2.0**11 ? 2.0**10 : 1
set xlabel fit_x("bytes written".(unit == 1 ? "" : " (".word("KiB MiB GiB", int(log(unit) / log(1024) + 0.5)).")"))
is_row(x) = !missing(bytes)
label(x) = is_row(0) ? shorten(strcol(1), larger(6, label_width - strlen(strcol(2)) - strlen(strcol(3)) - 4)).", " \
    .(strcol(2) eq "" ? "" : strcol(2).", ").strcol(3) : ""
bar_end(x) = is_row(0) ? column(bytes) / unit : 0
bar_colour(x) = strcol(3) eq "all files" ? 0x0072B2 : strcol(3) eq "blocks" ? 0xE69F00 : 0x86BFDD
comment(x) = !is_row(0) || missing(each) || column(bytes) == 0 ? "" : \
    sprintf("%.0f a transaction", column(each))
comment_room = 0.5
# include: bars

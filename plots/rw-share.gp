# Shares of plain and synchronous reads and writes: one stacked bar per direction; I/Os of neither
# direction are one part. Shares of columns do not add up, so they are side by side with those of
# all. One panel per result.
# Columns: 1 direction, 2 plain, 3 sync, 4 total (fractions).
# include: common
# include: axes

most_of_all = 0.0
stats $data using (missing(4) ? NaN : (most_of_all = larger(most_of_all, $4), 1)) nooutput
if (most_of_all <= 0) { exit status nothing }
stacked = shares_of ne "column"
bars = 3
is_row(x) = !missing(4)
has_parts(x) = !missing(2)
is_bar(k) = k < 3 ? has_parts(0) : !stacked || (is_row(0) && !has_parts(0))
bar_from(k) = stacked && k == 2 ? column(2) : 0
bar_to(k) = is_bar(k) ? bar_from(k) + column(k + 1) : NaN
bar_left(k) = stacked ? -0.3 : -0.38 + (k - 1) * 0.76 / 3
bar_right(k) = stacked ? 0.3 : -0.38 + k * 0.76 / 3
bar_title(k) = k == 1 ? "plain" : k == 2 ? "sync" : stacked ? "neither" : "total"
bar_colour(k) = word("#0072B2 #E69F00 #606060", k)
bar_pattern(k) = int(word("3 4 3", k))
bar_label(k) = !is_row(0) || !is_bar(k) || (stacked && k == 1) ? "" : \
    stacked && k == 2 ? percent(column(2)).(columns == 1 ? " + " : "").percent(column(3)) : \
    percent(column(k + 1))
# include: beside

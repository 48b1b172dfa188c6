# Rows of intervals: number and length in each result. Steps end where the last interval begins, so that this one
# is a line of its own: from nowhere, except in the last row. The plot defines `width` for one row alone.
array rows_of[results]
array length_of[results]
note_interval(s) = (rows_of[s] = rows_of[s] + 1, \
    rows_of[s] == 1 ? (length_of[s] = $1) : rows_of[s] == 2 ? (length_of[s] = $1 - length_of[s]) : 0)
do for [s = 1:results] { \
    rows_of[s] = 0; length_of[s] = 0; \
    stats $data index s - 1 using (absent(1) ? 0 : (note_interval(s), 0)) nooutput; \
    if (rows_of[s] < 2) { length_of[s] = width }; \
}
last_begin(s) = column(0) == rows_of[s] - 1 ? $1 / time_unit : nowhere

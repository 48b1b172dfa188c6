# Sizes of both sides, cumulative. The plot has defined `curves`, what its columns are called but for
# the letter of the side.
# include: axes
axis = "size, log scale"
# include: sizes
in_words(size) = sprintf("%.0f bytes", size)
curve_of_a = field(curves."a")
curve_of_b = field(curves."b")
curve(k) = k == 1 ? curve_of_a : curve_of_b
# include: two-curves

# Named boxes of calls, shared by calltree and depth.

most_levels = 64

# The colour is derived from the last letters of a name and its length.
letters = "etaoinsrhldcumfpgwybvkxjqzETAOINSRHLDCUMFPGWYBVKXJQZ0123456789_.<>:/$ ()-,;%!?=+*&~|[]"
tail(name) = strlen(name) > 24 ? name[strlen(name) - 23:*] : name
weight(k, letter) = (13 + k * k % 89) * strstrt(letters, letter)
mix(name) = strlen(name) + (sum [k = 1:strlen(name)] weight(k, name[k:k]))
packed(number) = is_mono ? 65793 * (150 + number % 89) : 65536 * (234 + number % 22) + 256 * (128 + number % 89) + 72 + number % 53
colour_of(name) = packed(mix(tail(name)) * 37)

# Names are written if they fit. gnuplot knows the width of a digit only after drawing something, so
# something invisible is drawn first; the font size follows from it. Some letters are wider than
# others; those of East Asian scripts are twice as wide.
digit_width = GPVAL_TERM eq "svg" ? 0.7 : 0.848
font_size(x) = 1.0 * GPVAL_TERM_HCHAR / GPVAL_TERM_SCALE / digit_width / fontscale
letter_width(letter) = strstrt("fijlrtI.,:;|!()[] /", letter) > 0 ? 0.6 : \
    strstrt("mwMW%&", letter) > 0 ? 1.4 : \
    strstrt("ABCDEFGHJKLNOPQRSTUVXYZ", letter) > 0 ? 1.1 : strstrt(letters, letter) > 0 ? 0.95 : 1.8
text_width(text) = 0.0 + (sum [k = 1:strlen(text)] letter_width(text[k:k]))
label_length(room, text, needed) = \
    room >= needed ? strlen(text) : int((room - 1) / needed * strlen(text))
fit(text, n) = n >= strlen(text) ? text : n < 4 ? "" : \
    strlen(text) < 16 ? cut(text, n) : shorten(text, n)
label_of(room, text) = room < 3 || size < (is_tex ? font_size(0) - 1 : 6) ? "" : \
    fit(text, label_length(room, text, text_width(text)))

# Character terminals: cells from the start of this box to the start of the next one.
dashes = "----------------"
do for [k = 1:5] { dashes = dashes.dashes }
line(length, name) = length < 2 ? "|" : \
    "|".shorten(name, length - 1).dashes[1:length - 1 - strlen(shorten(name, length - 1))]

-- report: concentration
-- title: Concentration on files
-- kinds: calls io
-- when: of = file
-- tally: popular_file
-- plot: none
-- include: concentration
-- include: without-file
-- concentration
SELECT name, count FROM temp.popular_file

-- report: concentration
-- question: How much of the work falls on a few items?
-- plot: none
-- compare: rows alone
-- worth: items references top_10 gini top_1 top_20 entropy zipf
-- part: application
-- title: Concentration on applications
-- kinds: calls
-- when: of = application
-- tally: operation
-- part: call-process
-- title: Concentration on processes
-- kinds: calls
-- needs: actor=thread
-- when: of = process
-- tally: operation
-- part: file
-- title: Concentration on files
-- kinds: calls io
-- when: of = file
-- tally: popular_file
-- fact: files report
-- part: key
-- title: Concentration on keys
-- kinds: calls
-- when: of = key
-- needs: object=file
-- tally: popular_file
-- fact: files report
-- part: operation
-- title: Concentration on operations
-- kinds: calls spans
-- when: of = operation by default
-- tally: operation
-- part: page
-- title: Concentration on pages
-- kinds: io
-- needs: address=sector
-- when: of = page by default
-- options: unit by-start
-- tally: concentration_page size
-- fact: reads-and-writes report
-- fact: sizes report
-- part: process
-- title: Concentration on processes
-- kinds: io
-- when: of = process
-- tally: process origin
-- fact: processes report
-- part: sector
-- title: Concentration on sectors
-- kinds: io
-- needs: address=sector
-- when: of = sector
-- tally: concentration_sector size
-- part: thread
-- title: Concentration on threads
-- kinds: calls
-- needs: actor=thread
-- when: of = thread
-- tally: operation
-- part: all
-- column: items int - - number of distinct items
-- column: references int - - number of references to the items; for a window, its length
-- column: top_1 share fraction - share of the references to the first 1 % of the items
-- column: top_10 share fraction - share of the references to the first 10 % of the items
-- column: top_20 share fraction - share of the references to the first 20 % of the items
-- column: gini real - - Gini coefficient of the references: 0 if all items have equally many, near 1 if one has all
-- column: entropy real bits - entropy of the references in bits: 0 if all are to one item
-- column: perplexity real - - number of equally frequent items with the same entropy
-- column: zipf real - - best-fitting exponent of Zipf's law: how fast counts fall with the rank
-- column: zipf_error real - - standard error of the Zipf exponent
-- column: ks real - - largest distance to Zipf's law; from about 0.1 on the law does not hold
--
-- Unevenness of references over items, from temp.concentration.
SELECT
    items, "references", top_1, top_10, top_20, gini, entropy, perplexity, exponent, error, distance
FROM temp.concentration
WHERE items > 0;
-- remark
SELECT printf('%.3g references per item; below 20 the ranks are mostly chance, and Zipf''s exponent is biased', 1.0 * "references" / items)
FROM temp.concentration
WHERE "references" < 20.0 * items AND exponent IS NOT NULL;
-- part: application
-- concentration
SELECT a.code, sum(t.count)
FROM temp.tally_operation AS t
JOIN main.actor AS a ON a.id = t.actor
JOIN temp.selection AS s ON s.trace = a.trace
GROUP BY actor_label(a.name, a.code, a.session, s.sessions), a.code, a.session
-- part: file key
-- remark excluded
SELECT 'excluded: ' || without || ' of ' || counted(count, 'event{s}') || ' without a file; shares are of the rest'
FROM temp.file_total
WHERE without > 0;
-- concentration
SELECT name, count FROM temp.popular_file
-- part: operation
-- concentration
SELECT n.text, sum(t.count)
FROM temp.tally_operation AS t
LEFT JOIN temp.merged_operation AS m ON m.id = t.operation
JOIN main.name AS n ON n.id = ifnull(m.merged, t.operation)
GROUP BY n.kind, n.text, n.code
-- part: page sector
-- include: without-data
-- part: page
-- include: neither-remark
-- part: process
-- include: origin-remark
-- concentration
-- include: popular-processes
-- part: call-process
-- concentration
-- include: popular-call-processes
-- part: thread
-- concentration
-- include: popular-threads

// Makes the tables of a page sortable: a button in each heading, which sorts by its column, and the
// other way round when it did already. Numbers go by data-v, what is empty comes last, and what is
// equal stays in its order. Without it the page says the same, in the order of the reports.
(function () {
    'use strict';

    function keyOf(cell) {
        var raw = cell.getAttribute('data-v');
        var text = raw === null ? cell.textContent : raw;
        return {text: text, number: raw === null ? NaN : Number(raw), isEmpty: text === ''};
    }

    function compare(a, b) {
        var isA = !isNaN(a.number);
        var isB = !isNaN(b.number);
        if (isA && isB) {
            return a.number - b.number;
        }
        return isA !== isB ? (isA ? -1 : 1) : a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
    }

    function sort(table, heads, column) {
        var head = heads[column];
        var sign = head.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
        var body = table.tBodies[0];
        var rows = Array.prototype.map.call(body.rows, function (row, place) {
            return {row: row, key: keyOf(row.cells[column]), place: place};
        });
        rows.sort(function (a, b) {
            if (a.key.isEmpty !== b.key.isEmpty) {
                return a.key.isEmpty ? 1 : -1;
            }
            return sign * compare(a.key, b.key) || a.place - b.place;
        });
        rows.forEach(function (entry) { body.appendChild(entry.row); });
        heads.forEach(function (other) { other.removeAttribute('aria-sort'); });
        head.setAttribute('aria-sort', sign > 0 ? 'ascending' : 'descending');
    }

    function prepare(table) {
        var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
        heads.forEach(function (head, column) {
            var button = document.createElement('button');
            button.type = 'button';
            button.textContent = head.textContent;
            head.textContent = '';
            head.appendChild(button);
            button.addEventListener('click', function () { sort(table, heads, column); });
        });
    }

    Array.prototype.forEach.call(document.querySelectorAll('table.rows'), prepare);
    // Paper cannot be opened; SQL is for those who have the file.
    window.addEventListener('beforeprint', function () {
        var closed = document.querySelectorAll('details:not(.sql)');
        Array.prototype.forEach.call(closed, function (details) {
            details.open = true;
        });
    });
}());

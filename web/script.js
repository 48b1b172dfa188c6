// Makes the tables of a page sortable: a button in each heading, which sorts by its column, and the
// other way round when it did already; rows that are folded are sorted with those above them. Numbers go by data-v, or by what they say, what is empty comes
// last, and what is equal stays in its order. Data that is packed is saved unpacked. Without it the
// page says the same, in the order of the reports, and data is saved as it is.
(function () {
    'use strict';

    function keyOf(cell) {
        var raw = cell.getAttribute('data-v');
        var text = raw === null ? cell.textContent : raw;
        var isNumber = (raw !== null || cell.className === 'n') && text !== '';
        return {text: text, number: isNumber ? Number(text) : NaN, isEmpty: text === ''};
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
        var next = table.parentNode.nextElementSibling;
        var rest = next !== null && next.className === 'rest' ? next.querySelector('tbody') : null;
        var seen = body.rows.length;
        var all = Array.from(body.rows).concat(rest === null ? [] : Array.from(rest.rows));
        var rows = all.map(function (row, place) {
            return {row: row, key: keyOf(row.cells[column]), place: place};
        });
        rows.sort(function (a, b) {
            if (a.key.isEmpty !== b.key.isEmpty) {
                return a.key.isEmpty ? 1 : -1;
            }
            return sign * compare(a.key, b.key) || a.place - b.place;
        });
        rows.forEach(function (entry, place) {
            (place < seen ? body : rest).appendChild(entry.row);
        });
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

    function save(blob, name) {
        var link = document.createElement('a');
        link.href = URL.createObjectURL(blob);
        link.download = name;
        link.click();
        setTimeout(function () { URL.revokeObjectURL(link.href); }, 60000);
    }

    function unpack(link) {
        var bytes = atob(link.href.split(',')[1]);
        var packed = Uint8Array.from(bytes, function (byte) { return byte.charCodeAt(0); });
        var stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
        return new Response(stream).arrayBuffer().then(function (data) {
            save(new Blob([data], {type: 'text/tab-separated-values'}),
                link.download.replace('.gz', ''));
        });
    }

    function prepareData(link) {
        link.parentNode.removeChild(link.nextSibling);
        link.addEventListener('click', function (event) {
            event.preventDefault();
            unpack(link);
        });
    }

    Array.prototype.forEach.call(document.querySelectorAll('table.rows'), prepare);
    if (window.DecompressionStream && window.Blob && Blob.prototype.stream) {
        Array.prototype.forEach.call(document.querySelectorAll('a[download$=".gz"]'), prepareData);
    }
    // Paper cannot be opened; SQL is for those who have the file.
    window.addEventListener('beforeprint', function () {
        var closed = document.querySelectorAll('details:not(.sql)');
        Array.prototype.forEach.call(closed, function (details) {
            details.open = true;
        });
    });
}());

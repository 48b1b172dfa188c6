// Makes flame graphs of flame_graph.c answer: a click on a frame zooms in, one on "Reset zoom" out;
// "Search" colours frames by name and says their share; the line below names the frame that is
// pointed at. Without it the picture is the same, and each frame has its title. All text goes in as
// text, never as markup. It stands in a picture of its own, and at the end of a page's script.
(function () {
'use strict';

function all(node, selector) {
    return Array.prototype.slice.call(node.querySelectorAll(selector));
}

function prepare(svg) {
    var namespace = 'http://www.w3.org/2000/svg';
    var rounding = 0.0015; // places have three decimals
    var letter = Number(svg.getAttribute('data-letter'));
    var panels = all(svg, '.flame').map(readPanel);
    var details = svg.querySelector('.details');
    var matched = svg.querySelector('.matched');
    var reset = svg.querySelector('.reset');
    var search = svg.querySelector('.search');
    var pattern = '';
    var sign = svg.querySelector('.pair') ? /^[+\u2212] / : ''; // before the names of two trees

    function readFrame(node) {
        var rect = node.querySelector('rect');
        var title = node.querySelector('title').textContent;
        return {
            node: node,
            rect: rect,
            label: node.querySelector('text'),
            stripes: node.querySelector('line'), // of what only one of two trees has
            title: title.replace('\n', ': '),
            name: title.split('\n')[0],
            fill: rect.getAttribute('fill'),
            x: Number(rect.getAttribute('x')),
            y: Number(rect.getAttribute('y')),
            width: Number(rect.getAttribute('width')),
            height: Number(rect.getAttribute('height'))
        };
    }

    function readPanel(node) {
        var panel = {node: node, frames: all(node, '.frame').map(readFrame)};
        panel.frames.forEach(function (frame) {
            frame.node.addEventListener('click', function () { zoom(panel, frame); });
            frame.node.addEventListener('mouseover', function () {
                details.textContent = frame.title;
            });
            frame.node.addEventListener('mouseout', function () { details.textContent = ''; });
            frame.node.setAttribute('cursor', 'pointer');
        });
        return panel;
    }

    function fit(name, width) {
        var room = Math.floor((width - 6) / letter);
        return room < 3 ? '' : name.length <= room ? name : name.slice(0, room - 1) + '…';
    }

    function setLabel(frame, x, width) {
        var text = fit(frame.name, width);
        if (!frame.label && text) {
            frame.label = document.createElementNS(namespace, 'text');
            frame.label.setAttribute('y', frame.y + 0.72 * frame.height);
            frame.node.appendChild(frame.label);
        }
        if (frame.label) {
            frame.label.setAttribute('x', x + 3);
            frame.label.textContent = text;
        }
    }

    function show(frame, x, width, opacity) {
        frame.node.removeAttribute('display');
        frame.node.setAttribute('opacity', opacity);
        frame.rect.setAttribute('x', x);
        frame.rect.setAttribute('width', width);
        if (frame.stripes) {
            frame.stripes.setAttribute('x1', x);
            frame.stripes.setAttribute('x2', x + width);
        }
        setLabel(frame, x, width);
    }

    function holds(outer, inner) {
        return outer.x <= inner.x + rounding &&
            outer.x + outer.width >= inner.x + inner.width - rounding;
    }

    // Callers of the frame get all the room, faded; what it calls grows with it; others go.
    function zoom(panel, to) {
        var base = panel.frames[0];
        var scale = base.width / to.width;
        panel.frames.forEach(function (frame) {
            if (frame.y > to.y && holds(frame, to)) {
                show(frame, base.x, base.width, 0.5);
            } else if (frame.y <= to.y && holds(to, frame)) {
                show(frame, base.x + (frame.x - to.x) * scale, frame.width * scale, 1);
            } else {
                frame.node.setAttribute('display', 'none');
            }
        });
        panel.zoomed = to !== base;
        reset.setAttribute('display', panels.some(isZoomed) ? 'inline' : 'none');
    }

    function isZoomed(panel) {
        return panel.zoomed;
    }

    // What the frames found cover, those within another counted once.
    function covered(frames) {
        var end = -1;
        return frames.slice().sort(function (a, b) {
            return a.x - b.x || b.width - a.width;
        }).reduce(function (sum, frame) {
            var from = Math.max(frame.x, end);
            var to = frame.x + frame.width;
            end = Math.max(end, to);
            return sum + Math.max(0, to - from);
        }, 0);
    }

    function tester(text) {
        try {
            return new RegExp(text);
        } catch (error) {
            return {test: function (name) { return name.indexOf(text) >= 0; }};
        }
    }

    function find(text) {
        var expression = tester(text);
        var part = 0;
        var whole = 0;
        pattern = text;
        panels.forEach(function (panel) {
            var found = panel.frames.filter(function (frame, number) {
                var isFound = text !== '' && number > 0 && expression.test(frame.name.replace(sign, ''));
                frame.rect.setAttribute('fill', isFound ? '#e66ae6' : frame.fill);
                return isFound;
            });
            part += covered(found);
            whole += panel.frames[0].width;
        });
        matched.textContent = text === '' ? '' : text + ': ' + (100 * part / whole).toFixed(2) + ' %';
    }

    reset.addEventListener('click', function () {
        panels.forEach(function (panel) { zoom(panel, panel.frames[0]); });
    });
    search.addEventListener('click', function () {
        var text = window.prompt('Name, or a regular expression; nothing ends the search:', pattern);
        if (text !== null) {
            find(text);
        }
    });
    search.setAttribute('display', 'inline');
    [search, reset].forEach(function (button) { button.setAttribute('cursor', 'pointer'); });
}

// The picture that the script is in, or those of the page.
var home = document.currentScript ? document.currentScript.parentNode : document.documentElement;
if (home.localName === 'svg') {
    prepare(home);
} else {
    all(home, 'svg[data-letter]').forEach(prepare);
}
}());

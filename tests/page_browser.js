// What pages are like in a browser: page_browser.js PAGE…, with puppeteer-core and axe-core (NODE_PATH) and
// Chromium. Nothing is loaded, said on the console or asked; axe finds nothing, light and dark; no script and
// a policy that allows neither script nor style leave all rows; sorting; flame graphs; narrow screens; paper.
'use strict';
const http = require('http');
const fs = require('fs');
const path = require('path');
const zlib = require('zlib');
const puppeteer = require('puppeteer-core');
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const jenkins = "sandbox; default-src 'none'; img-src 'self'; style-src 'self'";
let passed = 0;
let failed = 0;

function expect(what, holds, details) {
    if (holds) {
        passed++;
    } else {
        failed++;
        console.log('FAILED: ' + what + (details ? ': ' + JSON.stringify(details).slice(0, 2000) : ''));
    }
}

// A tab in which everything that a page does beside showing itself is taken down.
async function open(browser, address, script) {
    const tab = await browser.newPage();
    tab.noted = [];
    tab.on('request', request => {
        if (request.url() !== address && !request.url().startsWith('data:')) {
            tab.noted.push('request ' + request.url());
        }
    });
    tab.on('console', message => tab.noted.push('console ' + message.text()));
    tab.on('pageerror', error => tab.noted.push('error ' + error.message));
    tab.on('dialog', dialog => {
        tab.noted.push('dialog ' + dialog.message());
        dialog.dismiss();
    });
    await tab.setJavaScriptEnabled(script);
    await tab.goto(address);
    return tab;
}

// Rows, and pictures that are wide enough to be seen.
function seen(tab) {
    return tab.evaluate(() => ({
        rows: document.querySelectorAll('tbody tr').length,
        pictures: Array.from(document.querySelectorAll('svg, img'))
            .filter(picture => picture.getBoundingClientRect().width > 300).length,
        broken: Array.from(document.images).filter(image => image.naturalWidth === 0).length,
        width: document.documentElement.scrollWidth,
        elements: document.getElementsByTagName('*').length
    }));
}

async function judgeAxe(tab, name) {
    for (const scheme of ['light', 'dark']) {
        await tab.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
        const found = await tab.evaluate(async source => {
            // The policy keeps scripts out; what the debugger runs is not concerned.
            if (!window.axe) { (0, eval)(source); }
            const result = await window.axe.run(document, {resultTypes: ['violations']});
            return result.violations.map(violation => violation.id + ': ' + violation.nodes[0].html.slice(0, 200));
        }, axe);
        expect(name + ': axe, ' + scheme, found.length === 0, found);
    }
}

// Each column of each table, up and down: numbers by data-v, what is empty last.
function judgeSorting() {
    const wrong = [];
    document.querySelectorAll('table.rows').forEach((table, number) => {
        const heads = Array.from(table.tHead.rows[0].cells);
        const count = table.tBodies[0].rows.length;
        heads.forEach((head, column) => {
            for (const sign of [1, -1]) {
                head.querySelector('button').click();
                const cells = Array.from(table.tBodies[0].rows, row => row.cells[column]);
                const numbers = cells.map(cell => cell.getAttribute('data-v') ||
                    (cell.className === 'n' && cell.textContent) || 'text')
                    .filter(value => !isNaN(Number(value))).map(Number);
                const texts = cells.map(cell => cell.textContent);
                const firstEmpty = texts.indexOf('');
                const sorted = numbers.every((value, i) => i === 0 || sign * (value - numbers[i - 1]) >= 0);
                const emptyLast = firstEmpty < 0 || texts.slice(firstEmpty).every(text => text === '');
                const one = heads.filter(other => other.hasAttribute('aria-sort')).length === 1;
                if (!sorted || !emptyLast || !one || cells.length !== count) {
                    wrong.push([number, column, sign, sorted, emptyLast, one]);
                }
            }
        });
    });
    return wrong;
}

// Zoom and search of flame graphs: the first panel of each, by what the titles of its frames say.
function judgeFlames() {
    const wrong = [];
    const click = node => node.dispatchEvent(new MouseEvent('click', {bubbles: true}));
    const width = frame => Number(frame.querySelector('rect').getAttribute('width'));
    const widths = frames => frames.map(width).join(' ');
    document.querySelectorAll('svg[data-letter]').forEach((svg, number) => {
        const frames = Array.from(svg.querySelector('.flame').querySelectorAll('.frame'));
        const names = frames.map(frame => frame.querySelector('title').textContent.split('\n')[0]);
        const at = names.findIndex((name, i) => i > 1 && width(frames[i]) < 0.9 * width(frames[0]) &&
            names.indexOf(name) === i && names.lastIndexOf(name) === i);
        const before = widths(frames);
        const part = (100 * width(frames[at]) / width(frames[0])).toFixed(2) + ' %';
        const note = (what, holds) => holds || wrong.push([number, names[at], what]);
        const reset = svg.querySelector('.reset');
        const search = text => {
            window.prompt = () => text;
            click(svg.querySelector('.search'));
            return svg.querySelector('.matched').textContent;
        };

        note('no reset before', reset.getAttribute('display') === 'none');
        click(frames[at]);
        note('as wide as all', Math.abs(width(frames[at]) - width(frames[0])) < 0.01);
        note('reset', reset.getAttribute('display') === 'inline');
        click(reset);
        note('as before', widths(frames) === before && reset.getAttribute('display') === 'none');
        const name = names[at].replace(/^[+\u2212] /, '').replace(/[^\w]/g, '\\$&');
        note('share', search('^' + name + '$').endsWith(': ' + part));
        note('colour', frames[at].querySelector('rect').getAttribute('fill') === '#e66ae6');
        note('no markup', search('<b>(').startsWith('<b>(: 0.00'));
        note('end of search', search('') === '' && !svg.querySelector('[fill="#e66ae6"]'));
    });
    return wrong;
}

// Packed data is saved unpacked: what its links hold, and what is saved for each.
async function judgeData(tab, plain) {
    const packed = await plain.$$eval('a[download$=".gz"]', links => links.map(link => link.href));
    const saved = await tab.evaluate(async () => {
        const blobs = [];
        const links = document.querySelectorAll('a[download$=".gz"]');
        const create = URL.createObjectURL;
        URL.createObjectURL = blob => { blobs.push(blob); return '#'; };
        HTMLAnchorElement.prototype.click = function () { blobs.push(this.download); };
        for (const link of links) {
            link.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}));
        }
        for (let i = 0; i < 200 && blobs.length < 2 * links.length; i++) {
            await new Promise(resolve => setTimeout(resolve, 50));
        }
        URL.createObjectURL = create;
        delete HTMLAnchorElement.prototype.click;
        const texts = await Promise.all(blobs.filter(blob => blob instanceof Blob).map(blob => blob.text()));
        return {texts: texts.sort(), names: blobs.filter(blob => typeof blob === 'string')};
    });
    const wanted = packed.map(href => zlib.gunzipSync(Buffer.from(href.split(',')[1], 'base64')).toString());
    return JSON.stringify(saved.texts) === JSON.stringify(wanted.sort()) &&
        saved.names.length === wanted.length && saved.names.every(name => name.endsWith('.tsv'));
}

async function judgePage(browser, file, served) {
    const name = path.basename(file);
    const address = 'file://' + path.resolve(file);
    let tab = await open(browser, address, true);
    const whole = await seen(tab);
    expect(name + ': rows', whole.rows > 0);
    expect(name + ': pictures are drawn', whole.broken === 0, whole);
    await judgeAxe(tab, name);
    const wrong = await tab.evaluate(judgeSorting);
    expect(name + ': sorting', wrong.length === 0, wrong);
    const flames = await tab.evaluate(judgeFlames);
    expect(name + ': zoom and search', flames.length === 0, flames);
    await tab.setViewport({width: 360, height: 800});
    const narrow = await seen(tab);
    expect(name + ': at most 20000 elements', whole.elements <= 20000, whole);
    expect(name + ': nothing sticks out at 360 pixels', narrow.width <= 360, narrow);
    const pdf = await tab.pdf({format: 'A4', timeout: 240000, waitForFonts: false});
    expect(name + ': on paper', pdf.length > 10000);
    const other = await open(browser, address, false);
    expect(name + ': data is saved unpacked', await judgeData(tab, other));
    await other.close();
    expect(name + ': only itself, without a word', tab.noted.length === 0, tab.noted);
    await tab.close();

    tab = await open(browser, address, false);
    const plain = await tab.$$eval('tbody tr', rows => rows.length);
    expect(name + ': rows without script', plain === whole.rows, [plain, whole.rows]);
    expect(name + ': no word without script', tab.noted.length === 0, tab.noted);
    await tab.close();

    tab = await open(browser, served + name, true);
    const strict = await tab.evaluate(() => document.querySelectorAll('tbody tr').length);
    const pictures = await tab.$$eval('svg, img', all => all.length);
    const names = await tab.$$eval('img', all => all.filter(image => image.alt !== '').length);
    const flameGraphs = await tab.$$eval('svg [fill]', all => all.length);
    expect(name + ': rows under a policy without script and style', strict === whole.rows, [strict, whole.rows]);
    expect(name + ': flame graphs, and names of other pictures, under that policy',
        pictures >= whole.pictures && (flameGraphs > 0 || names === pictures), [pictures, whole.pictures, names]);
    await tab.close();
}

async function main() {
    const files = process.argv.slice(2);
    const server = http.createServer((request, response) => {
        const file = files.find(name => path.basename(name) === path.basename(request.url));
        response.writeHead(file ? 200 : 404, {'Content-Type': 'text/html', 'Content-Security-Policy': jenkins});
        response.end(file ? fs.readFileSync(file) : '');
    });
    await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
    const browser = await puppeteer.launch({
        executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu'],
        protocolTimeout: 300000,
        headless: true
    });
    try {
        for (const file of files) {
            await judgePage(browser, file, 'http://127.0.0.1:' + server.address().port + '/');
        }
    } finally {
        await browser.close();
        server.close();
    }
    console.log('browser: ' + passed + ' passed, ' + failed + ' failed');
    process.exit(failed === 0 ? 0 : 1);
}

main().catch(error => {
    console.log('FAILED: ' + error.stack);
    console.log('browser: ' + passed + ' passed, ' + (failed + 1) + ' failed');
    process.exit(1);
});

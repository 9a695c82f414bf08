// Documents as text: exact places and text for each kind, and a reason for whatever cannot be read.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as make from './fixtures.ts';
import { type DocumentText, isDocument, readDocument } from './index.ts';
import { type Limits, LIMITS } from './limits.ts';
import { readFileAt } from './read.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'documents-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let count = 0;
/** Reads in this thread, as the reading thread does. A busy machine must not turn a slow answer into a different one. */
async function read(name: string, bytes: Buffer, limits: Partial<Limits> = {}): Promise<DocumentText> {
  const file = path.join(folder, `${++count}-${name}`);
  await writeFile(file, bytes);
  const found: DocumentText = { kind: 'unknown', text: '', parts: [] };
  const end = await readFileAt(file, { ...LIMITS, time: 300_000, ...limits }, (batch) => {
    found.text += batch.text;
    found.parts.push(...batch.parts);
  });
  return { ...found, ...end };
}

const placeOf = (name: string): string => path.join(folder, name);
const run = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;
const footnote = (id: number, text: string, type = ''): string =>
  `<w:footnote w:id="${id}"${type}>${make.para(text)}</w:footnote>`;
const slideCell = (text: string): string =>
  `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
const sheetCell = (column: string, style: number, value: string): string =>
  `<c r="${column}1" s="${style}"><v>${value}</v></c>`;
const tableCell = (text: string, more = ''): string =>
  `<table:table-cell${more}><text:p>${text}</text:p></table:table-cell>`;
const sized = (bytes: Buffer): string => `${bytes.length} bytes`;
const paxRecord = (key: string, value: string): string => {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  return `${rest + 2} ${key}=${value}\n`;
};
const wordXml = (xml: string): Buffer => make.docx('', { 'word/document.xml': xml });
const headOf = (bytes: Buffer | string): Buffer => Buffer.from(bytes).subarray(0, 1024);
const lines = (...each: string[]): string => each.map((line) => `${line}\n`).join('');

describe('docx', () => {
  test('paragraphs are numbered from 1, empty ones and those in tables count', async () => {
    const body =
      make.para('First &amp; last &lt;b&gt; &#233;&#x1F600;') +
      '<w:p/>' +
      '<w:p><w:r><w:t>A</w:t><w:tab/><w:t>B</w:t><w:br/><w:t>C</w:t></w:r><w:hyperlink><w:r><w:t>link</w:t></w:r></w:hyperlink></w:p>' +
      `<w:tbl><w:tr><w:tc>${make.para('x')}</w:tc><w:tc>${make.para('y')}${make.para('z')}</w:tc></w:tr></w:tbl>` +
      make.para('end');
    expect(await read('a.docx', make.docx(body))).toEqual({
      kind: 'docx',
      text: lines('First & last <b> é😀', '', 'A\tB', 'Clink', 'x\ty z', 'end'),
      parts: [
        { place: 'para 1', text: 'First & last <b> é😀' },
        { place: 'para 3', text: 'A\tB\nClink' },
        { place: 'para 4', text: 'x' },
        { place: 'para 5', text: 'y' },
        { place: 'para 6', text: 'z' },
        { place: 'para 7', text: 'end' },
      ],
    });
  });

  test('deleted and moved-away text, field codes and fallbacks are no text; inserted text is', async () => {
    const body =
      `<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins>${run('new')}</w:ins>` +
      `<w:moveFrom>${run('moved')}</w:moveFrom><w:r><w:instrText>PAGE</w:instrText></w:r>` +
      `<mc:AlternateContent><mc:Choice>${run(' choice')}</mc:Choice><mc:Fallback>${run(' fallback')}</mc:Fallback></mc:AlternateContent></w:p>`;
    expect((await read('a.docx', make.docx(body))).parts).toEqual([{ place: 'para 1', text: 'new choice' }]);
  });

  test('notes, comments, headers and footers follow the body', async () => {
    const document = make.docx(make.para('body'), {
      'word/_rels/document.xml.rels': make.relations(
        ['rId1', 'header', 'header1.xml'],
        ['rId2', 'footnotes', 'footnotes.xml'],
        ['rId3', 'comments', 'comments.xml'],
      ),
      'word/header1.xml': make.wordPart('hdr', make.para('Confidential')),
      'word/footnotes.xml': make.wordPart(
        'footnotes',
        footnote(-1, '', ' w:type="separator"') + footnote(2, 'See there.'),
      ),
      'word/comments.xml': make.wordPart(
        'comments',
        `<w:comment w:id="0">${make.para('Why?')}${make.para('Because.')}</w:comment>`,
      ),
    });
    const { text, parts } = await read('a.docx', document);
    expect(parts).toEqual([
      { place: 'para 1', text: 'body' },
      { place: 'footnote 1', text: 'See there.' },
      { place: 'comment 1', text: 'Why?\nBecause.' },
      { place: 'header 1', text: 'Confidential' },
    ]);
    expect(text).toBe(
      lines(
        'body',
        '--- footnote 1 ---',
        'See there.',
        '--- comment 1 ---',
        'Why?',
        'Because.',
        '--- header 1 ---',
        'Confidential',
      ),
    );
  });

  test('other prefixes, CDATA, comments and single quotes are XML too', async () => {
    const parts = {
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': make.relations(['r', 'officeDocument', 'word/document.xml']),
      'word/document.xml': `\ufeff<!DOCTYPE x [<!ENTITY a "b">]><ns0:document xmlns:ns0='w' note='a > b'><!-- <ns0:p> --><ns0:p><ns0:r><ns0:t><![CDATA[a < b]]> &a; &amp;lt;</ns0:t></ns0:r></ns0:p></ns0:document>`,
    };
    expect((await read('a.docx', make.zip(parts))).parts).toEqual([{ place: 'para 1', text: 'a < b &a; &lt;' }]);
  });

  test('a body cut short gives what came before, and the reason', async () => {
    const whole = { 'word/document.xml': '<w:document><w:body><w:p><w:r><w:t>kept</w:t></w:r></w:p><w:p><w:r><w:t>lo' };
    const { parts, skipped } = await read('a.docx', make.docx('', whole));
    expect(parts).toEqual([{ place: 'para 1', text: 'kept' }]);
    expect(skipped).toBe('truncated XML');
  });
});

describe('pptx', () => {
  test('slides come in the order of the show, with their notes, without slide numbers', async () => {
    const first =
      make.shape(['Title'], 'title') + make.shape(['one', 'two &amp; three']) + make.shape(['17'], 'sldNum');
    const second = make.shape(['Last']);
    const document = make.pptx([second, first], [2, 1], { 2: make.shape(['say hello']) + make.shape(['1'], 'sldNum') });
    expect(await read('a.pptx', document)).toEqual({
      kind: 'pptx',
      text: lines(
        '--- slide 1 ---',
        'Title',
        'one',
        'two & three',
        '--- slide 1 notes ---',
        'say hello',
        '--- slide 2 ---',
        'Last',
      ),
      parts: [
        { place: 'slide 1', text: 'Title\none\ntwo & three' },
        { place: 'slide 1 notes', text: 'say hello' },
        { place: 'slide 2', text: 'Last' },
      ],
    });
  });

  test('tables have tabs between cells, an empty slide keeps its number', async () => {
    const table = `<p:graphicFrame><a:tbl><a:tr>${slideCell('a')}${slideCell('b')}</a:tr><a:tr>${slideCell('c')}${slideCell('d')}</a:tr></a:tbl></p:graphicFrame>`;
    const { text, parts } = await read('a.pptx', make.pptx(['', table], [1, 2]));
    expect(parts).toEqual([{ place: 'slide 2', text: 'a\tb\nc\td' }]);
    expect(text).toBe(lines('--- slide 1 ---', '--- slide 2 ---', 'a\tb', 'c\td'));
  });
});

describe('xlsx', () => {
  test('cells of every type, with their address', async () => {
    const rows =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>' +
      '<row r="4"><c r="B4"><v>0.1</v></c><c r="C4" t="b"><v>1</v></c><c r="D4" t="e"><v>#N/A</v></c>' +
      '<c r="E4" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c><c r="F4" t="str"><f>A1</f><v>sum</v></c><c r="AC4"><v>7</v></c></row>';
    const strings = ['<t>Name</t>', '<r><t>ri</t></r><r><t xml:space="preserve">ch &amp; </t></r><rPh><t>no</t></rPh>'];
    expect(await read('a.xlsx', make.xlsx({ Data: rows, 'My &quot;2nd&quot;': '' }, { strings }))).toEqual({
      kind: 'xlsx',
      text: lines(
        '--- sheet Data ---',
        '1\tName\trich & ',
        '4\t\t0.1\tTRUE\t#N/A\tinline\tsum\t[AC] 7',
        '--- sheet My "2nd" ---',
      ),
      parts: [
        { place: 'sheet Data!A1', text: 'Name' },
        { place: 'sheet Data!B1', text: 'rich & ' },
        { place: 'sheet Data!B4', text: '0.1' },
        { place: 'sheet Data!C4', text: 'TRUE' },
        { place: 'sheet Data!D4', text: '#N/A' },
        { place: 'sheet Data!E4', text: 'inline' },
        { place: 'sheet Data!F4', text: 'sum' },
        { place: 'sheet Data!AC4', text: '7' },
      ],
    });
  });

  test('numbers and dates follow the format of their style', async () => {
    const rows = `<row r="1">${sheetCell('A', 0, '0.30000000000000004')}${sheetCell('B', 1, '45688')}${sheetCell('C', 2, '45688.5')}${sheetCell('D', 3, '0.256')}${sheetCell('E', 4, '1234567.891')}</row>`;
    const document = make.xlsx({ S: rows }, { styles: [0, 14, 164, 10, 4], codes: { 164: 'yyyy\\-mm\\-dd\\ hh:mm' } });
    expect((await read('a.xlsx', document)).parts.map((part) => part.text)).toEqual([
      '0.3',
      '2025-01-31',
      '2025-01-31 12:00:00',
      '25.60%',
      '1,234,567.89',
    ]);
  });

  test('cells and rows without addresses count on; the 1904 date system is known', async () => {
    const rows = '<row><c><v>1</v></c><c s="1"><v>0.5</v></c></row><row><c s="1"><v>1</v></c></row>';
    const document = make.xlsx({ S: rows }, { styles: [0, 14], from1904: true });
    expect((await read('a.xlsx', document)).parts).toEqual([
      { place: 'sheet S!A1', text: '1' },
      { place: 'sheet S!B1', text: '1904-01-01' },
      { place: 'sheet S!A2', text: '1904-01-02' },
    ]);
  });
});

describe('OpenDocument', () => {
  test('odt: paragraphs, blanks, tables, footnotes; tracked changes and annotations are left out', async () => {
    const body =
      '<text:tracked-changes><text:p>old</text:p></text:tracked-changes><text:h>Title</text:h><text:p>a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d\n   e</text:p>' +
      '<text:p/><text:p>see<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>there</text:p></text:note-body></text:note> it<office:annotation><text:p>hm</text:p></office:annotation></text:p>' +
      '<table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell><table:table-cell><text:p>y</text:p></table:table-cell></table:table-row></table:table>';
    expect(await read('a.odt', make.openDocument('text', body))).toEqual({
      kind: 'odt',
      text: lines('Title', 'a   b\tc', 'd e', '', 'see it', 'x\ty', '--- footnote 1 ---', 'there'),
      parts: [
        { place: 'para 1', text: 'Title' },
        { place: 'para 2', text: 'a   b\tc\nd e' },
        { place: 'para 4', text: 'see it' },
        { place: 'para 5', text: 'x' },
        { place: 'para 6', text: 'y' },
        { place: 'footnote 1', text: 'there' },
      ],
    });
  });

  test('ods: repeated cells and rows are counted, filling is not content', async () => {
    const body =
      `<table:table table:name="Data"><table:table-row>${tableCell('a')}<table:table-cell table:number-columns-repeated="2"/>${tableCell('b', ' table:number-columns-repeated="2"')}</table:table-row>` +
      '<table:table-row table:number-rows-repeated="1000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>' +
      `<table:table-row>${tableCell('1,5')}</table:table-row></table:table>`;
    expect(await read('a.ods', make.openDocument('spreadsheet', body))).toEqual({
      kind: 'ods',
      text: lines('--- sheet Data ---', '1\ta\t\t\tb\tb', '1002\t1,5'),
      parts: [
        { place: 'sheet Data!A1', text: 'a' },
        { place: 'sheet Data!D1', text: 'b' },
        { place: 'sheet Data!E1', text: 'b' },
        { place: 'sheet Data!A1002', text: '1,5' },
      ],
    });
  });

  test('odp: slides and notes', async () => {
    const body =
      '<draw:page><draw:frame><draw:text-box><text:p>Hello</text:p></draw:text-box></draw:frame><presentation:notes><draw:frame><text:p>aside</text:p></draw:frame></presentation:notes></draw:page>' +
      '<draw:page><text:p>Bye</text:p></draw:page>';
    expect(await read('a.odp', make.openDocument('presentation', body))).toEqual({
      kind: 'odp',
      text: lines('--- slide 1 ---', 'Hello', '--- slide 1 notes ---', 'aside', '--- slide 2 ---', 'Bye'),
      parts: [
        { place: 'slide 1', text: 'Hello' },
        { place: 'slide 1 notes', text: 'aside' },
        { place: 'slide 2', text: 'Bye' },
      ],
    });
  });

  test('an encrypted one is reported', async () => {
    const manifest = '<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>';
    expect(await read('a.odt', make.openDocument('text', '', manifest))).toEqual({
      kind: 'odt',
      text: '',
      parts: [],
      skipped: 'password-protected',
    });
  });
});

describe('pdf', () => {
  test('pages with their lines; a page without text keeps its number', async () => {
    expect(await read('a.pdf', make.pdf([['Hello (world)', 'second line'], [], ['third page']]))).toEqual({
      kind: 'pdf',
      text: lines('--- page 1 ---', 'Hello (world)', 'second line', '--- page 2 ---', '--- page 3 ---', 'third page'),
      parts: [
        { place: 'page 1', text: 'Hello (world)\nsecond line' },
        { place: 'page 3', text: 'third page' },
      ],
    });
  });

  test('behind a password', async () => {
    expect(await read('a.pdf', make.pdf([['secret']], true))).toEqual({
      kind: 'pdf',
      text: '',
      parts: [],
      skipped: 'password-protected',
    });
  });

  test('pages without any text are perhaps a scan', async () => {
    expect((await read('a.pdf', make.pdf([[], []]))).skipped).toBe('no text in its 2 pages; it may be a scan');
  });

  test('only the first bytes of one', async () => {
    const { kind, parts, skipped } = await read('a.pdf', make.pdf([['x']]).subarray(0, 40));
    expect([kind, parts]).toEqual(['pdf', []]);
    expect(skipped).toMatch(/^damaged or truncated PDF|^no text/);
  });
});

describe('archives', () => {
  test('zip: members with text, binaries by name, documents and archives in it by a path', async () => {
    const inner = make.zip({ 'deep/b.txt': 'bee\n', 'c.docx': new Uint8Array(make.docx(make.para('word'))) });
    const archive = make.zip({
      'dir/': '',
      'dir/a.txt': 'alpha\nbeta',
      'logo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]),
      'é.txt': Buffer.from('caf\xe9', 'latin1'),
      'inner.zip': new Uint8Array(inner),
      'page.pdf': new Uint8Array(make.pdf([['inside']])),
      'empty.txt': '',
    });
    const { kind, text, parts, skipped } = await read('a.zip', archive);
    expect([kind, skipped]).toEqual(['zip', undefined]);
    expect(parts).toEqual([
      { place: '', entry: 'dir/a.txt', text: 'alpha\nbeta' },
      { place: '', entry: 'logo.png', text: '', skipped: 'binary' },
      { place: '', entry: 'é.txt', text: 'café' },
      { place: '', entry: 'inner.zip!deep/b.txt', text: 'bee\n' },
      { place: 'para 1', entry: 'inner.zip!c.docx', text: 'word' },
      { place: 'page 1', entry: 'page.pdf', text: 'inside' },
    ]);
    expect(text).toBe(
      lines(
        '--- dir/a.txt (10 bytes) ---',
        'alpha',
        'beta',
        '--- logo.png (7 bytes, skipped: binary) ---',
        '--- é.txt (4 bytes) ---',
        'café',
        `--- inner.zip (${sized(inner)}) ---`,
        '--- inner.zip!deep/b.txt (4 bytes) ---',
        'bee',
        `--- inner.zip!c.docx (${sized(make.docx(make.para('word')))}) ---`,
        'word',
        `--- page.pdf (${sized(make.pdf([['inside']]))}) ---`,
        '--- page.pdf page 1 ---',
        'inside',
        '--- empty.txt (0 bytes) ---',
      ),
    );
  });

  test('tar: long names, pax paths, prefixes; folders and links have no text', async () => {
    const long = `${'n'.repeat(120)}.txt`;
    const pax = 'dir/caf\u00e9.txt';
    const archive = make.tar(
      make.tarRecord('dir/', '', '5'),
      make.tarRecord('dir/a.txt', 'a\n'),
      make.tarRecord('b.txt', 'b\n', '0', 'far/away'),
      make.tarRecord('link', '', '2'),
      make.tarRecord('././@LongLink', `${long}\0`, 'L'),
      make.tarRecord(long.slice(0, 99), 'long\n'),
      make.tarRecord('PaxHeader', paxRecord('path', pax), 'x'),
      make.tarRecord('dir/x', 'pax\n'),
    );
    const wanted = [
      { place: '', entry: 'dir/a.txt', text: 'a\n' },
      { place: '', entry: 'far/away/b.txt', text: 'b\n' },
      { place: '', entry: long, text: 'long\n' },
      { place: '', entry: pax, text: 'pax\n' },
    ];
    expect(await read('a.tar', archive)).toMatchObject({ kind: 'tar', parts: wanted });
    expect(await read('a.tar.gz', gzipSync(archive))).toMatchObject({ kind: 'tar.gz', parts: wanted });
    expect(await read('odd-name', gzipSync(archive))).toMatchObject({ kind: 'tar.gz', parts: wanted });
  });

  test('gzip of a single text is that text', async () => {
    expect(await read('log.txt.gz', gzipSync('one\ntwo\n'))).toMatchObject({
      kind: 'gz',
      parts: [{ place: '', entry: expect.stringMatching(/^\d+-log\.txt$/), text: 'one\ntwo\n' }],
    });
  });

  test('a tar inside a gzip inside a zip', async () => {
    const archive = make.zip({ 'x.tgz': new Uint8Array(gzipSync(make.tar(make.tarRecord('y.txt', 'why\n')))) });
    expect((await read('a.zip', archive)).parts).toEqual([{ place: '', entry: 'x.tgz!y.txt', text: 'why\n' }]);
  });

  test('bytes before a zip and a comment after it', async () => {
    const archive = make.zip({ 'a.txt': 'a\n' });
    const commented = Buffer.concat([archive, Buffer.from('hello')]);
    commented.writeUInt16LE(5, archive.length - 2);
    expect((await read('c.zip', commented)).parts).toEqual([{ place: '', entry: 'a.txt', text: 'a\n' }]);
    const nested = make.zip({ 'in.zip': new Uint8Array(Buffer.concat([Buffer.from('PK\x03\x04junk'), archive])) });
    expect((await read('p.zip', nested)).parts).toEqual([{ place: '', entry: 'in.zip!a.txt', text: 'a\n' }]);
  });

  test('an empty zip', async () => {
    expect(await read('a.zip', make.zip({}))).toEqual({ kind: 'zip', text: '', parts: [] });
  });
});

describe('what cannot be read is reported, never thrown', () => {
  test('an encrypted member, the others are read', async () => {
    expect((await read('a.zip', make.asEncrypted(make.zip({ 'a.txt': 'a\n' })))).parts).toEqual([
      { place: '', entry: 'a.txt', text: '', skipped: 'encrypted' },
    ]);
  });

  test('a damaged member, the others are read', async () => {
    const archive = make.zip({ 'a.txt': 'aaaa\n', 'b.txt': 'bbbb\n' }, 0);
    archive[archive.indexOf('aaaa')] = 0x78;
    expect((await read('a.zip', archive)).parts).toEqual([
      { place: '', entry: 'a.txt', text: '', skipped: 'damaged (its checksum is wrong)' },
      { place: '', entry: 'b.txt', text: 'bbbb\n' },
    ]);
  });

  test('a member that unpacks to more than it may', async () => {
    const bomb = make.zip({ 'zeros.txt': new Uint8Array(1_100_000), 'b.txt': 'b\n' }, 9);
    const lying = Buffer.from(bomb);
    lying.writeUInt32LE(10, lying.indexOf('PK\x01\x02', 0, 'latin1') + 24);
    const small = { member: 1024 * 1024 };
    expect((await read('a.zip', bomb, small)).parts).toEqual([
      { place: '', entry: 'zeros.txt', text: '', skipped: 'unpacks to more than 1.0 MiB (1.0 MiB)' },
      { place: '', entry: 'b.txt', text: 'b\n' },
    ]);
    expect((await read('b.zip', lying, small)).parts).toEqual([
      { place: '', entry: 'zeros.txt', text: '', skipped: 'unpacks to more than 1.0 MiB' },
      { place: '', entry: 'b.txt', text: 'b\n' },
    ]);
    const inside = make.docx('', { 'word/document.xml': ' '.repeat(1_100_000) });
    expect(await read('a.docx', inside, small)).toEqual({
      kind: 'docx',
      text: '',
      parts: [],
      skipped: 'unpacks to more than 1.0 MiB (1.0 MiB)',
    });
  });

  test('many members that together unpack to more than they may', async () => {
    const one = make.zip({ z: new Uint8Array(1_000_000) }, 9);
    const many = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`${i}.zip`, new Uint8Array(one)]));
    const { parts, skipped } = await read('a.zip', make.zip(many), { unpacked: 4 * 1024 * 1024 });
    expect(skipped).toBe('unpacks to more than 4.0 MiB in all');
    expect(parts).toEqual([0, 1, 2, 3].map((i) => ({ place: '', entry: `${i}.zip!z`, text: '', skipped: 'binary' })));
  });

  test('a gzip bomb', async () => {
    const small = { member: 1024 * 1024, unpacked: 4 * 1024 * 1024 };
    const bomb = gzipSync(Buffer.alloc(2 * 1024 * 1024), { level: 9 });
    expect(await read('a.gz', bomb, small)).toEqual({
      kind: 'gz',
      text: '',
      parts: [],
      skipped: 'unpacks to more than 1.0 MiB',
    });
    const members = Array.from({ length: 6 }, (_, i) => make.tarRecord(`${i}`, Buffer.alloc(1_000_000)));
    expect((await read('a.tgz', gzipSync(make.tar(...members)), small)).skipped).toBe(
      'unpacks to more than 4.0 MiB in all',
    );
  });

  test('a member of a tar larger than it may be, the next one is read', async () => {
    const archive = make.tar(make.tarRecord('big', Buffer.alloc(20_000)), make.tarRecord('a.txt', 'a\n'));
    expect((await read('a.tar', archive, { member: 10_000 })).parts).toEqual([
      { place: '', entry: 'big', text: '', skipped: 'larger than 10000 bytes' },
      { place: '', entry: 'a.txt', text: 'a\n' },
    ]);
  });

  test('time is over', async () => {
    const { kind, skipped } = await read('a.docx', make.docx(make.para('x')), { time: 0 });
    expect([kind, skipped]).toEqual(['unknown', 'took too long; the rest is left out']);
  });

  test('archives nested too deeply', async () => {
    let archive = make.zip({ 'a.txt': 'deep\n' });
    for (let i = 0; i < 6; i++) archive = make.zip({ [`${i}.zip`]: new Uint8Array(archive) });
    const { parts } = await read('a.zip', archive);
    expect(parts).toEqual([
      {
        place: '',
        entry: '5.zip!4.zip!3.zip!2.zip!1.zip',
        text: '',
        skipped: 'more than 4 archives inside each other',
      },
    ]);
  });

  test('more members than are looked at', async () => {
    const members = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`m${i}`, 'x']));
    const zipped = await read('a.zip', make.zip(members, 0), { members: 10 });
    expect([zipped.parts.length, zipped.skipped]).toEqual([10, '11 members, of which the first 10 were read']);
    const taped = make.tar(...Object.keys(members).map((name) => make.tarRecord(name, 'x')));
    const tape = await read('a.tar', taped, { members: 10 });
    expect([tape.parts.length, tape.skipped]).toEqual([10, 'more than 10 members; the rest is left out']);
  });

  test('more text and more parts than are kept', async () => {
    const { text, skipped } = await read('a.zip', make.zip({ 'a.txt': `${'x'.repeat(70)}\u{1F600}` }), { text: 100 });
    expect([text, skipped]).toEqual([
      `--- a.txt (74 bytes) ---\n${'x'.repeat(70)}\u{1F600}\n`.slice(0, 100),
      undefined,
    ]);
    const cut = await read('a.zip', make.zip({ 'a.txt': `${'x'.repeat(70)}\u{1F600}` }), { text: 96 });
    expect([cut.text, cut.skipped]).toEqual([
      `--- a.txt (74 bytes) ---\n${'x'.repeat(70)}`,
      'more than 96 characters of text; the rest is left out',
    ]);
    const many = await read('a.docx', make.docx(make.para('x').repeat(5)), { parts: 3 });
    expect([many.parts.length, many.skipped]).toEqual([3, 'more than 3 parts; the rest is left out']);
  });

  test('cut files', async () => {
    const archive = make.zip({ 'a.txt': 'a\n' });
    expect((await read('a.zip', archive.subarray(0, -30))).skipped).toBe('damaged or truncated zip');
    expect((await read('a.docx', make.docx(make.para('x')).subarray(0, 300))).skipped).toBe('damaged or truncated zip');
    const tape = make.tar(make.tarRecord('a.txt', 'a\n'), make.tarRecord('b.txt', 'b'.repeat(2000)));
    expect(await read('a.tar', tape.subarray(0, 1800))).toMatchObject({
      parts: [{ place: '', entry: 'a.txt', text: 'a\n' }],
      skipped: 'truncated tar',
    });
    const packed = gzipSync(tape);
    expect((await read('a.tar.gz', packed.subarray(0, packed.length - 12))).skipped).toBe('damaged or truncated gzip');
  });

  test('a package that lacks its parts', async () => {
    const lacking = make.docx('', { 'word/document.xml': '' });
    expect(await read('a.docx', lacking)).toMatchObject({ kind: 'docx', parts: [] });
    const { skipped } = await read('a.docx', make.pptx([''], [1]).subarray(0, -1));
    expect(skipped).toBe('damaged or truncated zip');
  });

  test('password-protected and old Office files', async () => {
    const old = Buffer.alloc(2048);
    old.write('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1');
    old.writeUInt16LE(9, 30);
    old.writeUInt32LE(1, 48);
    const locked = Buffer.from(old);
    locked.write('EncryptedPackage', 1024, 'utf16le');
    expect(await read('a.docx', locked)).toEqual({
      kind: 'office',
      text: '',
      parts: [],
      skipped: 'password-protected',
    });
    expect((await read('a.xls', old)).skipped).toMatch(/^in the old binary Office format/);
  });

  test('XML that is broken, nested without end, or asks for entities', async () => {
    expect((await read('a.docx', wordXml('<a><b></a>'))).skipped).toBe('XML that is not well formed');
    expect((await read('a.docx', wordXml('<a>'.repeat(100_000)))).skipped).toBe('XML nested too deeply');
    const junk = `<a ${'x'.repeat(300_000)} ${`x='y' `.repeat(100_000)}`;
    expect((await read('a.docx', wordXml(junk))).skipped).toBe('truncated XML');
    expect((await read('a.docx', wordXml(`${junk}></a>`))).skipped).toBe(undefined);
    const laughs = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><l><p><r><t>&b;</t></r></p></l>';
    expect((await read('a.docx', wordXml(laughs))).parts).toEqual([{ place: 'para 1', text: '&b;' }]);
  });

  test('something else, and nothing at all', async () => {
    expect((await read('a.txt', Buffer.from('plain'))).skipped).toBe('not a PDF, office or archive file');
    expect((await read('a.pdf', Buffer.alloc(0))).skipped).toBe('empty file');
  });

  test('a file too large to be read as a whole', async () => {
    const document = make.pdf([['x']]);
    expect((await read('a.pdf', document, { file: 500 })).skipped).toBe(
      `${document.length} bytes large; files up to 500 bytes are read`,
    );
  });
});

test('damage anywhere ends in an answer', async () => {
  const documents = [
    make.docx(make.para('some text').repeat(20)),
    make.xlsx({ S: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>12</v></c></row>' }, { strings: ['<t>x</t>'] }),
    make.openDocument('spreadsheet', '<table:table table:name="T"><table:table-row/></table:table>'),
    make.zip({ 'a.txt': 'alpha\n'.repeat(50), 'b.zip': new Uint8Array(make.zip({ 'c.txt': 'c' })) }),
    gzipSync(make.tar(make.tarRecord('a.txt', 'a'.repeat(700)), make.tarRecord('b.txt', 'b'))),
    make.tar(make.tarRecord('a.txt', 'a'.repeat(700)), make.tarRecord('b.txt', 'b')),
    make.pdf([['one'], ['two']]),
  ];
  // A fixed sequence (numerical recipes' LCG), so that a failure can be had again.
  let state = 7;
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const file = path.join(folder, 'damaged');
  for (let round = 0; round < 40; round++) {
    for (const document of documents) {
      const damaged = Buffer.from(document.subarray(0, random(5) === 0 ? random(document.length) : undefined));
      for (let hits = 1 + random(6); hits > 0 && damaged.length > 0; hits--)
        damaged[random(damaged.length)] = random(256);
      await writeFile(file, damaged);
      const answer = await readFileAt(file, { ...LIMITS, time: 300_000 }, () => {});
      expect(answer).toEqual({
        kind: expect.any(String),
        ...(answer.skipped === undefined ? {} : { skipped: expect.any(String) }),
      });
    }
  }
});

test('names and first bytes tell a document', () => {
  expect(isDocument('x', headOf(make.pdf([['a']])))).toBe(true);
  expect(isDocument('x.ts', headOf('write("%PDF-1.4")'))).toBe(false);
  expect(isDocument('x.pdf', headOf(`junk ${make.pdf([['a']]).toString('latin1')}`))).toBe(true);
  expect(isDocument('x.bin', headOf(make.zip({ a: 'a' })))).toBe(true);
  expect(isDocument('x', headOf(make.tar(make.tarRecord('a', 'a'))))).toBe(true);
  expect(isDocument('x', headOf(gzipSync('a')))).toBe(true);
  expect(isDocument('x.doc', Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toBe(true);
  expect(isDocument('x.msi', Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toBe(false);
  expect(isDocument('x.docx', headOf('plain text'))).toBe(false);
  expect(isDocument('x.pdf', Buffer.alloc(0))).toBe(false);
});

describe('the reading thread', () => {
  test('answers what reading here answers, many at a time', async () => {
    await writeFile(placeOf('t.pdf'), make.pdf([['Hello']]));
    await writeFile(placeOf('t.docx'), make.docx(make.para('x').repeat(1500)));
    const [pdf, docx, again] = await Promise.all(
      ['t.pdf', 't.docx', 't.pdf'].map((name) => readDocument(placeOf(name))),
    );
    expect(pdf).toEqual({ kind: 'pdf', text: '--- page 1 ---\nHello\n', parts: [{ place: 'page 1', text: 'Hello' }] });
    expect(again).toEqual(pdf);
    expect([docx?.kind, docx?.text, docx?.parts.length]).toEqual(['docx', 'x\n'.repeat(1500), 1500]);
    expect(docx?.parts.at(-1)).toEqual({ place: 'para 1500', text: 'x' });
  });

  test('reports what cannot be read', async () => {
    expect((await readDocument(folder)).skipped).toBe('not a regular file');
    expect((await readDocument(placeOf('missing.pdf'))).skipped).toMatch(/^cannot be read: ENOENT/);
    await writeFile(placeOf('t.txt'), 'plain');
    expect((await readDocument(placeOf('t.txt'))).skipped).toBe('not a PDF, office or archive file');
  });

  test('is ended from outside when its time is over', async () => {
    await writeFile(placeOf('t.zip'), make.zip({ 'a.txt': new Uint8Array(30_000_000) }, 9));
    // Less than nothing, so that the grace is used up before the thread has begun.
    expect(await readDocument(placeOf('t.zip'), undefined, { time: -2000 })).toEqual({
      kind: 'unknown',
      text: '',
      parts: [],
      skipped: 'took too long; the rest is left out',
    });
  });

  test('ends at once when the call is aborted, and makes room for the next', async () => {
    await writeFile(placeOf('t.zip'), make.zip({ 'a.txt': new Uint8Array(30_000_000) }, 9));
    const controller = new AbortController();
    const running = Array.from({ length: 5 }, () => readDocument(placeOf('t.zip'), controller.signal));
    controller.abort(new Error('stop'));
    for (const result of await Promise.allSettled(running)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { message: 'stop' } });
    }
    expect((await readDocument(placeOf('t.zip'))).kind).toBe('zip');
  });
});

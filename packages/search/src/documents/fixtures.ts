// Small real documents, made by code, for the tests: packages, PDF and tar as their specifications draw them.
import { createHash } from 'node:crypto';
import { strToU8, zipSync, type Zippable } from 'fflate';

/** A zip of texts and bytes, in the order given. */
export function zip(members: Record<string, string | Uint8Array>, level: 0 | 6 | 9 = 6): Buffer {
  const files: Zippable = Object.create(null) as Zippable;
  for (const [name, body] of Object.entries(members)) {
    files[name] = typeof body === 'string' ? strToU8(body) : body;
  }
  return Buffer.from(zipSync(files, { level, mtime: new Date(2020, 0, 1) }));
}

/** The same zip with the encryption flag of every member set. */
export function asEncrypted(archive: Buffer): Buffer {
  const changed = Buffer.from(archive);
  for (
    let at = changed.indexOf('PK\x01\x02', 0, 'latin1');
    at >= 0;
    at = changed.indexOf('PK\x01\x02', at + 4, 'latin1')
  ) {
    changed.writeUInt16LE(changed.readUInt16LE(at + 8) | 1, at + 8);
  }
  return changed;
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** A part `_rels/*.rels`: `[id, type, target]`. */
export function relations(...each: [id: string, type: string, target: string][]): string {
  const rows = each.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/relationships/${type}" Target="${target}"/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${rows.join('')}</Relationships>`;
}

function types(main: string, type: string): string {
  return (
    `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>` +
    `<Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`
  );
}

const WORD =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';

/** A docx with this inside `w:body`, and more parts. */
export function docx(body: string, more: Record<string, string> = {}): Buffer {
  return zip({
    '[Content_Types].xml': types('word/document.xml', 'wordprocessingml.document'),
    '_rels/.rels': relations(['rId1', 'officeDocument', 'word/document.xml']),
    'word/document.xml': `${HEAD}<w:document ${WORD}><w:body>${body}<w:sectPr/></w:body></w:document>`,
    ...more,
  });
}

/** A part of a docx other than the body: `footnotes`, `comments`, `hdr` ... */
export function wordPart(element: string, inside: string): string {
  return `${HEAD}<w:${element} ${WORD}>${inside}</w:${element}>`;
}

/** A plain paragraph of a docx. */
export function para(text: string): string {
  return `<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs></w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

const DRAW =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

/** A shape of a slide; each line is a paragraph. */
export function shape(lines: readonly string[], placeholder = 'body'): string {
  const body = lines.map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join('');
  return `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${placeholder}"/></p:nvPr></p:nvSpPr><p:txBody>${body}</p:txBody></p:sp>`;
}

/** A pptx of slides (their shapes), shown in the order of `order` (numbers from 1); `notes` by slide number. */
export function pptx(slides: readonly string[], order: readonly number[], notes: Record<number, string> = {}): Buffer {
  const parts: Record<string, string> = {
    '[Content_Types].xml': types('ppt/presentation.xml', 'presentationml.presentation'),
    '_rels/.rels': relations(['rId1', 'officeDocument', 'ppt/presentation.xml']),
    'ppt/presentation.xml': `${HEAD}<p:presentation ${DRAW}><p:sldIdLst>${order.map((n, i) => `<p:sldId id="${256 + i}" r:id="rId${n}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      ...slides.map((_, i): [string, string, string] => [`rId${i + 1}`, 'slide', `slides/slide${i + 1}.xml`]),
    ),
  };
  for (const [i, shapes] of slides.entries()) {
    parts[`ppt/slides/slide${i + 1}.xml`] =
      `${HEAD}<p:sld ${DRAW}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
  }
  for (const [number, shapes] of Object.entries(notes)) {
    parts[`ppt/slides/_rels/slide${number}.xml.rels`] = relations([
      'rId1',
      'notesSlide',
      `../notesSlides/notesSlide${number}.xml`,
    ]);
    parts[`ppt/notesSlides/notesSlide${number}.xml`] =
      `${HEAD}<p:notes ${DRAW}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:notes>`;
  }
  return zip(parts);
}

const SHEET =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

/** An xlsx: rows of each sheet as XML, shared strings as XML of `si`, `numFmt` codes and the format id of each style. */
export function xlsx(
  sheets: Record<string, string>,
  options: { strings?: string[]; codes?: Record<number, string>; styles?: number[]; from1904?: boolean } = {},
): Buffer {
  const names = Object.keys(sheets);
  const codes = Object.entries(options.codes ?? {}).map(
    ([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`,
  );
  const cells = (options.styles ?? [0]).map((id) => `<xf numFmtId="${id}"/>`);
  const parts: Record<string, string> = {
    '[Content_Types].xml': types('xl/workbook.xml', 'spreadsheetml.sheet'),
    '_rels/.rels': relations(['rId1', 'officeDocument', '/xl/workbook.xml']),
    'xl/workbook.xml': `${HEAD}<workbook ${SHEET}><workbookPr${options.from1904 ? ' date1904="1"' : ''}/><sheets>${names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ...names.map((_, i): [string, string, string] => [`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`]),
      ['rId90', 'sharedStrings', 'sharedStrings.xml'],
      ['rId91', 'styles', 'styles.xml'],
    ),
    'xl/sharedStrings.xml': `${HEAD}<sst ${SHEET}>${(options.strings ?? []).map((each) => `<si>${each}</si>`).join('')}</sst>`,
    'xl/styles.xml': `${HEAD}<styleSheet ${SHEET}><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${cells.join('')}</cellXfs></styleSheet>`,
  };
  for (const [i, name] of names.entries()) {
    parts[`xl/worksheets/sheet${i + 1}.xml`] =
      `${HEAD}<worksheet ${SHEET}><sheetData>${sheets[name]}</sheetData></worksheet>`;
  }
  return zip(parts);
}

const OPEN = ['office', 'text', 'table', 'draw', 'style']
  .map((each) => `xmlns:${each}="urn:oasis:names:tc:opendocument:xmlns:${each}:1.0"`)
  .concat('xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"')
  .join(' ');

/** An odt, ods or odp with this inside its body. */
export function openDocument(family: 'text' | 'spreadsheet' | 'presentation', body: string, manifest = ''): Buffer {
  return zip({
    mimetype: `application/vnd.oasis.opendocument.${family}`,
    'content.xml': `${HEAD}<office:document-content ${OPEN}><office:body><office:${family}>${body}</office:${family}></office:body></office:document-content>`,
    'META-INF/manifest.xml': `${HEAD}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">${manifest}</manifest:manifest>`,
  });
}

function digest(seed: string): string {
  return createHash('sha256').update(seed).digest('hex');
}

/** A PDF 1.4 with one line of Helvetica for each text; with `encrypted`, behind a user password nobody knows. */
export function pdf(pages: readonly string[][], encrypted = false): Buffer {
  const objects: string[] = [];
  const kids = pages.map((_, i) => `${4 + i * 2} 0 R`).join(' ');
  objects.push('<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  for (const [i, lines] of pages.entries()) {
    const shown = lines.map((line) => `(${line.replaceAll(/[()\\]/g, String.raw`\$&`)}) Tj 0 -20 Td`).join(' ');
    const stream = `BT /F1 12 Tf 72 720 Td ${shown} ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + i * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    );
  }
  if (encrypted) objects.push(`<< /Filter /Standard /V 1 /R 2 /P -4 /O <${digest('owner')}> /U <${digest('user')}> >>`);
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const at = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const xref = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const at of offsets) text += `${String(at).padStart(10, '0')} 00000 n \n`;
  const guard = encrypted
    ? ` /Encrypt ${objects.length} 0 R /ID [<${digest('id').slice(0, 32)}> <${digest('id').slice(0, 32)}>]`
    : '';
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${guard} >>\nstartxref\n${xref}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** One tar record: header and padded body. `type` as in ustar ('0' file, '5' folder, '2' link, 'x' pax, 'L' long name). */
export function tarRecord(name: string, body: Buffer | string, type = '0', prefix = ''): Buffer {
  const bytes = Buffer.from(body);
  const header = Buffer.alloc(512);
  header.write(name, 0, 100, 'utf8');
  header.write('0000644\0', 100, 'latin1');
  header.write('0000000\x000000000\0', 108, 'latin1');
  header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  header.write('00000000000\0', 136, 'latin1');
  header.write('        ', 148, 'latin1');
  header.write(type, 156, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  header.write(prefix, 345, 155, 'utf8');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}

/** A tar of records, closed as it should be. */
export function tar(...records: Buffer[]): Buffer {
  return Buffer.concat([...records, Buffer.alloc(1024)]);
}

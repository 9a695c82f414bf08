// Office packages: which of the six kinds a zip is, its parts by name, and the relations between them.
import path from 'node:path';
import { Skip } from './limits.ts';
import type { Sink } from './sink.ts';
import type { Source } from './source.ts';
import { walkXml, xmlText } from './xml.ts';
import { unpack, type ZipMember } from './zip.ts';

export type OfficeKind = 'docx' | 'pptx' | 'xlsx' | 'odt' | 'ods' | 'odp';

/** Where one part points to; `target` is a name in the package. */
export interface Relation {
  readonly id: string;
  /** last word of the relation's type: `slide`, `worksheet`, `notesSlide` ... */
  readonly type: string;
  readonly target: string;
}

export interface OfficePackage {
  readonly kind: OfficeKind;
  /** the part everything starts from */
  readonly main: string;
  readonly names: readonly string[];
  has(name: string): boolean;
  /** the XML of a part; throws Skip if it is missing or broken */
  xml(name: string): string;
  /** relations of a part in their own order; none if it has none */
  relations(name: string): Relation[];
}

/** The package a zip is, undefined for an ordinary zip; `is` hears its kind. Throws Skip for one that cannot be read. */
export function officePackage(
  source: Source,
  members: readonly ZipMember[],
  sink: Sink,
  is: (kind: OfficeKind) => void,
): OfficePackage | undefined {
  const byName = new Map(members.map((each) => [each.name, each]));
  const bytesOf = (name: string): Buffer => {
    const member = byName.get(name);
    if (!member) throw new Skip(`damaged (it lacks ${name})`);
    return unpack(source, member, sink);
  };
  const parts = {
    names: [...byName.keys()],
    has: (name: string) => byName.has(name),
    xml: (name: string) => xmlText(bytesOf(name)),
    relations(name: string): Relation[] {
      const file = path.posix.join(path.posix.dirname(name), '_rels', `${path.posix.basename(name)}.rels`);
      return byName.has(file) ? relationsIn(xmlText(bytesOf(file)), path.posix.dirname(name)) : [];
    },
  };
  if (byName.has('mimetype') && byName.has('content.xml')) {
    const kind = openDocumentKind(bytesOf('mimetype').toString('latin1').trim());
    if (!kind) return undefined;
    is(kind);
    if (byName.has('META-INF/manifest.xml') && isEncrypted(parts.xml('META-INF/manifest.xml'))) {
      throw new Skip('password-protected');
    }
    return { ...parts, kind, main: 'content.xml' };
  }
  if (!byName.has('[Content_Types].xml') || !byName.has('_rels/.rels')) return undefined;
  const main = parts.relations('').find((each) => each.type === 'officeDocument')?.target;
  if (main === undefined) return undefined;
  const kind = openXmlKind(parts.xml('[Content_Types].xml'), main);
  if (!kind) return undefined;
  is(kind);
  return { ...parts, kind, main };
}

function openDocumentKind(mime: string): OfficeKind | undefined {
  const [, family] =
    /^application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)(-template)?$/.exec(mime) ?? [];
  if (family === 'text') return 'odt';
  if (family === 'spreadsheet') return 'ods';
  return family === 'presentation' ? 'odp' : undefined;
}

function isEncrypted(manifest: string): boolean {
  let found = false;
  walkXml(manifest, {
    open(name) {
      if (name === 'encryption-data') found = true;
    },
  });
  return found;
}

function openXmlKind(types: string, main: string): OfficeKind | undefined {
  let type = '';
  walkXml(types, {
    open(name, attributes) {
      if (name === 'Override' && attributes.get('PartName') === `/${main}`) type = attributes.get('ContentType') ?? '';
    },
  });
  if (type.includes('.ms-excel.sheet.binary.'))
    throw new Skip('a binary workbook (xlsb); saved as xlsx it can be read');
  const known = type === '' ? main : type;
  if (/wordprocessingml|ms-word|^word\//.test(known)) return 'docx';
  if (/presentationml|ms-powerpoint|^ppt\//.test(known)) return 'pptx';
  return /spreadsheetml|ms-excel|^xl\//.test(known) ? 'xlsx' : undefined;
}

function relationsIn(xml: string, folder: string): Relation[] {
  const found: Relation[] = [];
  walkXml(xml, {
    open(name, attributes) {
      if (name !== 'Relationship' || attributes.get('TargetMode') === 'External') return;
      const target = attributes.get('Target') ?? '';
      found.push({
        id: attributes.get('Id') ?? '',
        type: (attributes.get('Type') ?? '').split('/').at(-1) ?? '',
        target: path.posix.join('/', target.startsWith('/') ? '' : folder, target).slice(1),
      });
    },
  });
  return found;
}

// Writes packages/search/src/syntax/tables.ts: the Unicode properties a pattern can name, as the pinned ripgrep itself knows
// them, so that both engines give the same answers whatever Unicode version the running engine has. Names are from the UCD.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { rgPath } from '@vscode/ripgrep';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const TARGET = path.join(ROOT, 'packages', 'search', 'src', 'syntax', 'tables.ts');

/** Values by property; aliases of one value are joined by `/` and the first names it in the tables. */
const VALUES = {
  gc: `C/Other Cc/Control/Cntrl Cf/Format Cn/Unassigned Co/Private_Use L/Letter LC/Cased_Letter Ll/Lowercase_Letter
    Lm/Modifier_Letter Lo/Other_Letter Lt/Titlecase_Letter Lu/Uppercase_Letter M/Mark/Combining_Mark Mc/Spacing_Mark
    Me/Enclosing_Mark Mn/Nonspacing_Mark N/Number Nd/Decimal_Number/Digit Nl/Letter_Number No/Other_Number
    P/Punctuation/Punct Pc/Connector_Punctuation Pd/Dash_Punctuation Pe/Close_Punctuation Pf/Final_Punctuation
    Pi/Initial_Punctuation Po/Other_Punctuation Ps/Open_Punctuation S/Symbol Sc/Currency_Symbol Sk/Modifier_Symbol
    Sm/Math_Symbol So/Other_Symbol Z/Separator Zl/Line_Separator Zp/Paragraph_Separator Zs/Space_Separator`,
  sc: `Adlm/Adlam Aghb/Caucasian_Albanian Ahom Arab/Arabic Armi/Imperial_Aramaic Armn/Armenian Avst/Avestan Bali/Balinese
    Bamu/Bamum Bass/Bassa_Vah Batk/Batak Beng/Bengali Bhks/Bhaiksuki Bopo/Bopomofo Brah/Brahmi Brai/Braille Bugi/Buginese
    Buhd/Buhid Cakm/Chakma Cans/Canadian_Aboriginal Cari/Carian Cham Cher/Cherokee Chrs/Chorasmian Copt/Coptic/Qaac
    Cpmn/Cypro_Minoan Cprt/Cypriot Cyrl/Cyrillic Deva/Devanagari Diak/Dives_Akuru Dogr/Dogra Dsrt/Deseret Dupl/Duployan
    Egyp/Egyptian_Hieroglyphs Elba/Elbasan Elym/Elymaic Ethi/Ethiopic Gara/Garay Geor/Georgian Glag/Glagolitic
    Gong/Gunjala_Gondi Gonm/Masaram_Gondi Goth/Gothic Gran/Grantha Grek/Greek Gujr/Gujarati Gukh/Gurung_Khema
    Guru/Gurmukhi Hang/Hangul Hani/Han Hano/Hanunoo Hatr/Hatran Hebr/Hebrew Hira/Hiragana Hluw/Anatolian_Hieroglyphs
    Hmng/Pahawh_Hmong Hmnp/Nyiakeng_Puachue_Hmong Hrkt/Katakana_Or_Hiragana Hung/Old_Hungarian Ital/Old_Italic
    Java/Javanese Kali/Kayah_Li Kana/Katakana Kawi Khar/Kharoshthi Khmr/Khmer Khoj/Khojki Kits/Khitan_Small_Script
    Knda/Kannada Krai/Kirat_Rai Kthi/Kaithi Lana/Tai_Tham Laoo/Lao Latn/Latin Lepc/Lepcha Limb/Limbu Lina/Linear_A
    Linb/Linear_B Lisu Lyci/Lycian Lydi/Lydian Mahj/Mahajani Maka/Makasar Mand/Mandaic Mani/Manichaean Marc/Marchen
    Medf/Medefaidrin Mend/Mende_Kikakui Merc/Meroitic_Cursive Mero/Meroitic_Hieroglyphs Mlym/Malayalam Modi
    Mong/Mongolian Mroo/Mro Mtei/Meetei_Mayek Mult/Multani Mymr/Myanmar Nagm/Nag_Mundari Nand/Nandinagari
    Narb/Old_North_Arabian Nbat/Nabataean Newa Nkoo/Nko Nshu/Nushu Ogam/Ogham Olck/Ol_Chiki Onao/Ol_Onal
    Orkh/Old_Turkic Orya/Oriya Osge/Osage Osma/Osmanya Ougr/Old_Uyghur Palm/Palmyrene Pauc/Pau_Cin_Hau Perm/Old_Permic
    Phag/Phags_Pa Phli/Inscriptional_Pahlavi Phlp/Psalter_Pahlavi Phnx/Phoenician Plrd/Miao Prti/Inscriptional_Parthian
    Rjng/Rejang Rohg/Hanifi_Rohingya Runr/Runic Samr/Samaritan Sarb/Old_South_Arabian Saur/Saurashtra Sgnw/SignWriting
    Shaw/Shavian Shrd/Sharada Sidd/Siddham Sind/Khudawadi Sinh/Sinhala Sogd/Sogdian Sogo/Old_Sogdian Sora/Sora_Sompeng
    Soyo/Soyombo Sund/Sundanese Sunu/Sunuwar Sylo/Syloti_Nagri Syrc/Syriac Tagb/Tagbanwa Takr/Takri Tale/Tai_Le
    Talu/New_Tai_Lue Taml/Tamil Tang/Tangut Tavt/Tai_Viet Telu/Telugu Tfng/Tifinagh Tglg/Tagalog Thaa/Thaana Thai
    Tibt/Tibetan Tirh/Tirhuta Tnsa/Tangsa Todr/Todhri Toto Tutg/Tulu_Tigalari Ugar/Ugaritic Vaii/Vai Vith/Vithkuqi
    Wara/Warang_Citi Wcho/Wancho Xpeo/Old_Persian Xsux/Cuneiform Yezi/Yezidi Yiii/Yi Zanb/Zanabazar_Square
    Zinh/Inherited/Qaai Zyyy/Common Zzzz/Unknown`,
  gcb: `CN/Control CR EB/E_Base EBG/E_Base_GAZ EM/E_Modifier EX/Extend GAZ/Glue_After_Zwj L LF LV LVT PP/Prepend
    RI/Regional_Indicator SM/SpacingMark T V XX/Other ZWJ`,
  wb: `CR DQ/Double_Quote EB/E_Base EBG/E_Base_GAZ EM/E_Modifier EX/ExtendNumLet Extend FO/Format GAZ/Glue_After_Zwj
    HL/Hebrew_Letter KA/Katakana LE/ALetter LF MB/MidNumLet ML/MidLetter MN/MidNum NL/Newline NU/Numeric
    RI/Regional_Indicator SQ/Single_Quote WSegSpace XX/Other ZWJ`,
  sb: `AT/ATerm CL/Close CR EX/Extend FO/Format LE/OLetter LF LO/Lower NU/Numeric SC/SContinue SE/Sep SP/Sp ST/STerm
    UP/Upper XX/Other`,
  /** properties that are true or false */
  is: `AHex/ASCII_Hex_Digit Alpha/Alphabetic Bidi_C/Bidi_Control Bidi_M/Bidi_Mirrored CI/Case_Ignorable Cased
    CWCF/Changes_When_Casefolded CWCM/Changes_When_Casemapped CWKCF/Changes_When_NFKC_Casefolded
    CWL/Changes_When_Lowercased CWT/Changes_When_Titlecased CWU/Changes_When_Uppercased Dash
    DI/Default_Ignorable_Code_Point Dep/Deprecated Dia/Diacritic Emoji EComp/Emoji_Component EMod/Emoji_Modifier
    EBase/Emoji_Modifier_Base EPres/Emoji_Presentation ExtPict/Extended_Pictographic Ext/Extender Gr_Base/Grapheme_Base
    Gr_Ext/Grapheme_Extend Gr_Link/Grapheme_Link Hex/Hex_Digit Hyphen IDSB/IDS_Binary_Operator IDST/IDS_Trinary_Operator
    IDSU/IDS_Unary_Operator IDC/ID_Continue IDS/ID_Start ID_Compat_Math_Continue ID_Compat_Math_Start Ideo/Ideographic
    Join_C/Join_Control LOE/Logical_Order_Exception Lower/Lowercase Math MCM/Modifier_Combining_Mark
    NChar/Noncharacter_Code_Point OAlpha/Other_Alphabetic ODI/Other_Default_Ignorable_Code_Point
    OGr_Ext/Other_Grapheme_Extend OIDC/Other_ID_Continue OIDS/Other_ID_Start OLower/Other_Lowercase OMath/Other_Math
    OUpper/Other_Uppercase Pat_Syn/Pattern_Syntax Pat_WS/Pattern_White_Space PCM/Prepended_Concatenation_Mark
    QMark/Quotation_Mark Radical RI/Regional_Indicator STerm/Sentence_Terminal SD/Soft_Dotted Term/Terminal_Punctuation
    UIdeo/Unified_Ideograph Upper/Uppercase VS/Variation_Selector WSpace/White_Space/Space XIDC/XID_Continue
    XIDS/XID_Start CE/Composition_Exclusion Comp_Ex/Full_Composition_Exclusion`,
} as const;
const AGES =
  '1.1 2.0 2.1 3.0 3.1 3.2 4.0 4.1 5.0 5.1 5.2 6.0 6.1 6.2 6.3 7.0 8.0 9.0 10.0 11.0 12.0 12.1 13.0 14.0 15.0 15.1 16.0';

/** As UAX44-LM3 compares names. */
function loose(name: string): string {
  return name.toLowerCase().replaceAll(/[ _-]/g, '');
}

const folder = mkdtempSync(path.join(tmpdir(), 'unicode-'));
const scalars = path.join(folder, 'scalars');
const newline = path.join(folder, 'newline');

/** One scalar value per line; its own line is left empty for `\n`. */
function writeScalars(): void {
  const lines: string[] = [];
  for (let point = 0; point <= 0x10ffff; point++) {
    if (point < 0xd800 || point > 0xdfff) lines.push(point === 10 ? '' : String.fromCodePoint(point));
  }
  writeFileSync(scalars, `${lines.join('\n')}\n`);
  writeFileSync(newline, '\n');
}

function run(args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(rgPath, ['--no-config', '-a', ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return status === 2 ? undefined : stdout;
}

/** The scalar values a class matches, as ranges; `undefined` where ripgrep does not know it. */
function members(source: string): number[] | undefined {
  const out = run(['-n', '-o', '-r', '', '-e', source, scalars]);
  if (out === undefined) return undefined;
  const found = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Number.parseInt(line, 10) - 1)
    .map((index) => (index < 0xd800 ? index : index + 0x800));
  if (run(['-U', '-c', '-e', `\\A${source}\\z`, newline]) !== '') found.push(10);
  return toRanges(found.toSorted((a, b) => a - b));
}

function toRanges(points: readonly number[]): number[] {
  const ranges: number[] = [];
  for (const point of points) {
    const last = ranges.at(-1);
    if (last === point - 1) ranges[ranges.length - 1] = point;
    else ranges.push(point, point);
  }
  return ranges;
}

// 0-31 in one character, more by continuation as in source maps, without a sign.
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function number(value: number): string {
  let text = '';
  for (let rest = value; ; rest >>>= 5) {
    if (rest < 32) return text + DIGITS[rest];
    text += DIGITS[(rest & 31) | 32];
  }
}

/** Distance from the end of the range before, and length less one, in turn. */
function encode(ranges: readonly number[]): string {
  let text = '';
  let end = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    const low = ranges[i]!;
    text += number(low - end) + number(ranges[i + 1]! - low);
    end = ranges[i + 1]!;
  }
  return text;
}

/** Classes of characters that fold to the same one, by simple case folding, among those ripgrep's Unicode version has. */
function foldings(assigned: ReadonlySet<number>): string {
  const cased: string[] = [];
  for (let point = 0; point <= 0x10ffff; point++) {
    if (!assigned.has(point)) continue;
    const char = String.fromCodePoint(point);
    if (/[\p{Cased}\p{CWCM}\p{CWCF}\p{CWKCF}]/u.test(char)) cased.push(char);
  }
  const text = cased.join('');
  const seen = new Set<string>();
  let out = '';
  let before = 0;
  for (const char of cased) {
    if (seen.has(char)) continue;
    const same = [...text.matchAll(new RegExp(`\\u{${char.codePointAt(0)!.toString(16)}}`, 'giu'))].map(([one]) => one);
    for (const one of same) seen.add(one);
    if (same.length < 2) continue;
    const points = same.map((one) => one.codePointAt(0)!).toSorted((a, b) => a - b);
    out += number(points[0]! - before) + number(points.length - 1);
    for (let i = 1; i < points.length; i++) out += number(points[i]! - points[i - 1]!);
    before = points[0]!;
  }
  return out;
}

function literal(text: string): string {
  return `'${text}'`;
}

function generate(): string {
  writeScalars();
  const names: string[] = [];
  const sets: string[] = [];
  const add = (property: string, aliases: readonly string[], ranges: readonly number[]): void => {
    const key = `${property}:${aliases[0]}`;
    for (const alias of aliases) names.push(alias === aliases[0] ? key : `${property}:${alias}=${aliases[0]}`);
    sets.push(`  [${literal(key)}, ${literal(encode(ranges))}],`);
  };
  for (const [property, text] of Object.entries(VALUES)) {
    // One property's names are distinct after loosening, so the short name can stand for the value.
    const properties = property === 'sc' ? ['sc', 'scx'] : [property];
    for (const of of properties) {
      for (const aliases of text.trim().split(/\s+/)) {
        const all = aliases.split('/');
        const known = all.filter(
          (name) => run(['-q', '-e', of === 'is' ? `\\p{${name}}` : `\\p{${of}=${name}}`, newline]) !== undefined,
        );
        if (known.length === 0) continue;
        const ranges = members(of === 'is' ? `\\p{${known[0]}}` : `\\p{${of}=${known[0]}}`);
        if (ranges !== undefined) add(of, known.map(loose), ranges);
        process.stderr.write(`${of} ${known.join(' ')}\n`);
      }
    }
  }
  let before = new Set<number>();
  for (const age of AGES.split(' ')) {
    const ranges = members(`\\p{age=${age}}`);
    if (ranges === undefined) throw new Error(`ripgrep knows no age ${age}`);
    const now = new Set<number>();
    for (let i = 0; i < ranges.length; i += 2) for (let p = ranges[i]!; p <= ranges[i + 1]!; p++) now.add(p);
    add(
      'age',
      [age, `v${age.replace('.', '')}`],
      toRanges([...now].filter((p) => !before.has(p)).toSorted((a, b) => a - b)),
    );
    before = now;
  }
  const classes = [
    ['d', '\\d'],
    ['s', '\\s'],
    ['w', '\\w'],
  ] as const;
  for (const [name, source] of classes) add('perl', [name], members(source) ?? []);
  return `// Made by scripts/unicode.ts from what the pinned ripgrep matches (Unicode ${AGES.split(' ').at(-1)}). Data only; read by unicode.ts and fold.ts.

/** Names a pattern may use, loosened: \`property:value\`, or \`property:alias=value\`. */
export const NAMES =
  ${literal(names.join(' '))};

/** Ranges of code points: distance from the end of the range before and length less one, in base 32 with continuation. */
export const SETS: ReadonlyMap<string, string> = new Map([
${sets.join('\n')}
]);

/** Characters of one simple case folding: first (as distance from the first before), how many more, their distances. */
export const FOLDINGS =
  ${literal(foldings(before))};
`;
}

try {
  writeFileSync(TARGET, generate());
} finally {
  rmSync(folder, { recursive: true, force: true });
}

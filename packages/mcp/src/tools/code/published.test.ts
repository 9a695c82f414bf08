// Published sources in every language, as their authors wrote them; what is expected was read off them by hand.
// Go, Rust and Ruby come from Debian's packages, which .ci/run unpacks; without them those tests are skipped.
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Answer, createProject, type Project } from './testkit.ts';

const installed = createRequire(import.meta.url);
const ofNpm = (name: string, folder: string): string =>
  path.join(path.dirname(installed.resolve(`${name}/package.json`)), folder);
const ofDebian = (folder: string): string =>
  path.resolve(import.meta.dirname, '../../../../../.cache/sources/usr/share', folder);

const SOURCES = {
  python: ofNpm('node-gyp', 'gyp/pylib'),
  java: ofNpm('@capacitor/android', 'capacitor/src/main/java'),
  csharp: ofNpm('edge-cs', 'src'),
  php: ofNpm('@wordpress/style-engine', 'src'),
  bash: ofNpm('bats', '.'),
  go: ofDebian('gocode/src/github.com/spf13/pflag'),
  rust: ofDebian('cargo/registry/semver-1.0.14'),
  ruby: ofDebian('rubygems-integration/all/gems/mustermann-3.0.0'),
};
const inDebian = (name: 'go' | 'rust' | 'ruby'): boolean => existsSync(SOURCES[name]);

let project: Project | undefined;
afterEach(async () => {
  await project?.close();
  project = undefined;
});

function open(name: keyof typeof SOURCES): Project {
  project = createProject({});
  cpSync(SOURCES[name], project.at('.'), { recursive: true });
  return project;
}

/** `file:line` of each place in a list that is grouped by files, with its mark. */
function places({ text }: Answer): string[] {
  let file = '';
  return text.split('\n').flatMap((line) => {
    const [, at, mark = ''] = /^(\d+)(?: \((\w+)\))?:/.exec(line) ?? [];
    if (at !== undefined) return [`${file}:${at}${mark === '' ? '' : ` ${mark}`}`];
    if (line !== '') file = line;
    return [];
  });
}

const lines = ({ text }: Answer): string[] => text.split('\n').filter((line) => line !== '');
const uncertain = ({ data }: Answer): string[] =>
  ((data.uncertain ?? []) as { uri: string; line: number }[]).map(({ uri, line }) => `${path.basename(uri)}:${line}`);

describe('Python: gyp, as node-gyp ships it', () => {
  test('declarations of a tokenizer', async () => {
    const { call, at } = open('python');
    const found = await call('symbols', { uri: at('packaging/_tokenizer.py') });
    expect(found.data.errors).toBeUndefined();
    expect(lines(found)).toEqual([
      '10 class Token',
      '11 field Token.name',
      '12 field Token.text',
      '13 field Token.position',
      '16 class ParserSyntaxError',
      '19 method ParserSyntaxError.__init__',
      '26 field ParserSyntaxError.span',
      '27 field ParserSyntaxError.message',
      '28 field ParserSyntaxError.source',
      '32 method ParserSyntaxError.__str__',
      '37 constant DEFAULT_RULES',
      '88 class Tokenizer',
      '95 method Tokenizer.__init__',
      '101 field Tokenizer.source',
      '102 field Tokenizer.rules',
      '105 field Tokenizer.next_token',
      '106 field Tokenizer.position',
      '108 method Tokenizer.consume',
      '113 method Tokenizer.check',
      '134 method Tokenizer.expect',
      '143 method Tokenizer.read',
      '153 method Tokenizer.raise_syntax_error',
      '172 method Tokenizer.enclosing_tokens',
    ]);
  });

  test('a method is found and renamed by the annotation of what it is called on', async () => {
    const { call, at } = open('python');
    const used = await call('references', { query: 'enclosing_tokens', uri: at('.') });
    expect(places(used)).toEqual([
      'packaging/_tokenizer.py:172 definition',
      'packaging/_parser.py:166',
      'packaging/_parser.py:210',
      'packaging/_parser.py:284',
    ]);
    const { data } = await call('definition', {
      query: 'enclosing_tokens',
      uri: at('packaging/_parser.py'),
      line: 284,
    });
    expect(data).toMatchObject({ by: 'type', line: 172 });
    const renamed = await call('rename', {
      query: 'enclosing_tokens',
      new_name: 'surrounding_tokens',
      uri: at('packaging/_tokenizer.py'),
      apply: true,
    });
    expect(renamed.data).toMatchObject({ files_changed: 2, total_replacements: 4 });
    expect(readFileSync(at('packaging/_parser.py'), 'utf8')).not.toContain('enclosing_tokens');
  });

  test('what extends an exception', async () => {
    const { call, at } = open('python');
    const { data, text } = await call('hierarchy', { query: 'ParserSyntaxError', uri: at('.') });
    expect(data.supertypes).toEqual(['Exception']);
    expect(text).toContain('class ParserSyntaxError packaging/_tokenizer.py:16');
  });
});

describe('Java: Capacitor', () => {
  test('a class with its constructors', async () => {
    const { call, at } = open('java');
    expect(lines(await call('symbols', { uri: at('com/getcapacitor/JSArray.java') }))).toEqual([
      '9 class JSArray',
      '11 constructor JSArray.JSArray',
      '15 constructor JSArray.JSArray',
      '19 constructor JSArray.JSArray',
      '23 constructor JSArray.JSArray',
      '28 method JSArray.toList',
      '45 method JSArray.from',
    ]);
  });

  test('the plugins, and one that extends another', async () => {
    const { call, at } = open('java');
    const { text } = await call('hierarchy', { query: 'Plugin', uri: at('.') });
    expect(lines({ text } as Answer)).toEqual([
      'class Plugin com/getcapacitor/Plugin.java:44',
      'subtypes:',
      '  extends CapacitorHttp com/getcapacitor/plugin/CapacitorHttp.java:25',
      '  extends CapacitorCookies com/getcapacitor/plugin/CapacitorCookies.java:17',
      '  extends SystemBars com/getcapacitor/plugin/SystemBars.java:26',
      '  extends WebView com/getcapacitor/plugin/WebView.java:12',
      '    extends CapacitorWebView com/getcapacitor/CapacitorWebView.java:16',
    ]);
  });

  test('a class of 27 mentions: 20 are code, in six files; six comments and a message keep it', async () => {
    const { call, at } = open('java');
    const { data } = await call('rename', {
      query: 'JSArray',
      new_name: 'JsonList',
      uri: at('com/getcapacitor/JSArray.java'),
      apply: true,
    });
    expect(data).toMatchObject({ files_changed: 6, total_replacements: 20 });
    expect(data.uncertain).toBeUndefined();
    expect(data.note).toContain('JsonList.java');
    const value = readFileSync(at('com/getcapacitor/JSValue.java'), 'utf8').split('\n');
    expect(value.slice(42, 49)).toEqual([
      '     * Returns the underlying value as a JSArray, or throwing if it cannot.',
      '     *',
      '     * @throws JSONException If the underlying value is not a JSArray.',
      '     */',
      '    public JsonList toJSArray() throws JSONException {',
      '        if (this.value instanceof JsonList) return (JsonList) this.value;',
      '        throw new JSONException("JSValue could not be coerced to JSArray.");',
    ]);
  });
});

describe('C#: the compiler of Edge.js', () => {
  test('declarations, past a byte order mark', async () => {
    const { call, at } = open('csharp');
    const found = await call('symbols', { uri: at('edge-cs/EdgeCompiler.cs') });
    expect(found.data.errors).toBeUndefined();
    expect(lines(found)).toEqual([
      '12 class EdgeCompiler',
      '14 field EdgeCompiler.referenceRegex',
      '15 field EdgeCompiler.usingRegex',
      '16 field EdgeCompiler.debuggingEnabled',
      '17 field EdgeCompiler.debuggingSelfEnabled',
      '18 field EdgeCompiler.cacheEnabled',
      '19 field EdgeCompiler.referencedAssemblies',
      '20 field EdgeCompiler.funcCache',
      '22 constructor EdgeCompiler.EdgeCompiler',
      '27 method EdgeCompiler.CurrentDomain_AssemblyResolve',
      '39 method EdgeCompiler.CompileFunc',
      '198 method EdgeCompiler.TryCompile',
    ]);
  });

  test('a method is renamed in its class; its namesake in another file is told', async () => {
    const { call, at } = open('csharp');
    const renamed = await call('rename', {
      query: 'TryCompile',
      new_name: 'Attempt',
      uri: at('edge-cs/EdgeCompiler.cs'),
      apply: true,
    });
    expect(renamed.data).toMatchObject({ files_changed: 1, total_replacements: 3 });
    expect(uncertain(renamed)[0]).toBe('EdgeCompiler.cs:188');
    expect(readFileSync(at('edge-cs/EdgeCompiler.cs')).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  });
});

describe("PHP: WordPress's style engine", () => {
  test('a class and functions', async () => {
    const { call, at } = open('php');
    expect(lines(await call('symbols', { uri: at('class-wp-style-engine-css-rule.php') }))).toEqual([
      '17 class WP_Style_Engine_CSS_Rule',
      '24 field WP_Style_Engine_CSS_Rule.selector',
      '33 field WP_Style_Engine_CSS_Rule.declarations',
      '40 field WP_Style_Engine_CSS_Rule.rules_group',
      '51 constructor WP_Style_Engine_CSS_Rule.__construct',
      '64 method WP_Style_Engine_CSS_Rule.set_selector',
      '77 method WP_Style_Engine_CSS_Rule.add_declarations',
      '108 method WP_Style_Engine_CSS_Rule.set_rules_group',
      '118 method WP_Style_Engine_CSS_Rule.get_rules_group',
      '127 method WP_Style_Engine_CSS_Rule.get_declarations',
      '136 method WP_Style_Engine_CSS_Rule.get_selector',
      '148 method WP_Style_Engine_CSS_Rule.get_css',
    ]);
    expect(lines(await call('exports', { uri: at('style-engine.php') })).map((line) => line.slice(0, 60))).toEqual([
      '41 function wp_style_engine_get_styles( $block_styles, $opti',
      '103 function wp_style_engine_get_stylesheet_from_css_rules( ',
      '156 function wp_style_engine_get_stylesheet_from_context( $c',
    ]);
  });

  test('two methods of one name: all uses are listed, and only what is certain is renamed', async () => {
    const { call, at } = open('php');
    const used = await call('references', { query: 'add_declarations', uri: at('.') });
    expect(places(used)).toEqual([
      'class-wp-style-engine-css-declarations.php:41',
      'class-wp-style-engine-css-declarations.php:114 definition',
      'class-wp-style-engine-css-rule.php:53',
      'class-wp-style-engine-css-rule.php:77 definition',
      'class-wp-style-engine-processor.php:78',
      'class-wp-style-engine-processor.php:87',
      'class-wp-style-engine.php:436',
    ]);
    const renamed = await call('rename', {
      query: 'add_declarations',
      new_name: 'put_declarations',
      uri: at('class-wp-style-engine-css-rule.php'),
    });
    expect(renamed.data).toMatchObject({ files_changed: 1, total_replacements: 2 });
    expect(uncertain(renamed)).toEqual([
      'class-wp-style-engine-css-declarations.php:114',
      'class-wp-style-engine-processor.php:78',
      'class-wp-style-engine-processor.php:87',
      'class-wp-style-engine.php:436',
    ]);
  });
});

describe('Bash: bats, most of whose files say only in their first line what they are', () => {
  test('functions of a library, and of a script without an ending', async () => {
    const { call, at } = open('bash');
    expect(lines(await call('symbols', { uri: at('lib/bats-core/common.bash') }))).toEqual([
      '3 function bats_prefix_lines_for_tap_output',
      '12 function bats_replace_filename',
      '22 function bats_quote_code',
      '26 function bats_check_valid_version',
      '34 function bats_version_lt',
      '55 function bats_require_minimum_version',
      '69 function bats_linear_reverse_search',
      '84 function bats_binary_search',
      '119 function bats_sort',
      '154 function bats_all_in',
      '184 function bats_any_in',
      '210 function bats_trim',
      '218 function bats_append_arrays_as_args',
      '242 function bats_format_file_line_reference',
      '249 function bats_format_file_line_reference_comma_line',
      '253 function bats_format_file_line_reference_colon',
      '258 function bats_approx_realpath',
      '268 function bats_format_file_line_reference_uri',
      '276 function bats_execute',
    ]);
    const script = await call('symbols', { uri: at('libexec/bats-core/bats-gather-tests'), kind: 'variable' });
    expect(lines(script)).toContain('350 variable BATS_TEST_FILENAME');
  });

  test('uses in scripts without an ending count, and keep what they use alive', async () => {
    const { call, at } = open('bash');
    const used = await call('references', { query: 'bats_trim', uri: at('.') });
    expect(places(used)).toEqual([
      'lib/bats-core/common.bash:210 definition',
      'libexec/bats-core/bats-gather-tests:24',
      'libexec/bats-core/bats-gather-tests:147',
      'libexec/bats-core/bats-preprocess:52',
    ]);
    const dead = await call('dead_code', { uri: at('.'), max_results: 500 });
    expect(dead.text).toContain('bats_require_minimum_version');
    expect(dead.text).not.toContain('bats_trim()');
  });
});

describe.skipIf(!inDebian('go'))('Go: pflag', () => {
  test('types with their members, and the methods of a receiver', async () => {
    const { call, at } = open('go');
    const found = await call('symbols', { uri: at('flag.go'), max_results: 500 });
    expect(found.data.errors).toBeUndefined();
    expect(lines(found)).toHaveLength(119);
    expect(lines(found).slice(40, 52)).toEqual([
      '187 interface Value',
      '188 method Value.String',
      '189 method Value.Set',
      '190 method Value.Type',
      '196 interface SliceValue',
      '198 method SliceValue.Append',
      '200 method SliceValue.Replace',
      '202 method SliceValue.GetSlice',
      '206 function sortFlags',
      '226 method FlagSet.SetNormalizeFunc',
      '246 method FlagSet.GetNormalizeFunc',
      '253 method FlagSet.normalizeFlagName',
    ]);
  });

  test('sortFlags is renamed; the member SortFlags and its comment are others', async () => {
    const { call, at } = open('go');
    expect(places(await call('references', { query: 'normalizeFlagName', uri: at('.') }))).toEqual([
      'flag.go:230',
      'flag.go:253 definition',
      'flag.go:356',
      'flag.go:464',
      'flag.go:501',
      'flag.go:849',
      'flag.go:969',
    ]);
    const { data } = await call('rename', {
      query: 'sortFlags',
      new_name: 'orderFlags',
      uri: at('flag.go'),
      apply: true,
    });
    expect(data).toMatchObject({ files_changed: 1, total_replacements: 3 });
    const text = readFileSync(at('flag.go'), 'utf8');
    expect(text).toContain('// sortFlags returns the flags as a slice');
    expect(text).toContain('f.sortedFormal = orderFlags(f.formal)');
  });
});

describe.skipIf(!inDebian('rust'))('Rust: semver', () => {
  test('methods of their types, functions within functions, re-exports', async () => {
    const { call, at } = open('rust');
    expect(lines(await call('symbols', { uri: at('src/identifier.rs') }))).toEqual([
      '76 constant PTR_BYTES',
      '81 constant TAIL_BYTES',
      '84 struct Identifier',
      '85 field Identifier.head',
      '86 field Identifier.tail',
      '90 method Identifier.empty',
      '104 method Identifier.new_unchecked',
      '155 method Identifier.is_empty',
      '166 method Identifier.is_inline',
      '171 method Identifier.is_empty_or_inline',
      '176 method Identifier.as_str',
      '190 method Identifier.clone',
      '225 method Identifier.drop',
      '245 method Identifier.eq',
      '265 function ptr_to_repr',
      '282 function repr_to_ptr',
      '292 function repr_to_ptr_mut',
      '301 function inline_len',
      '328 function inline_as_str',
      '347 function decode_len',
      '364 function decode_len.decode_len_cold',
      '388 function ptr_as_str',
      '399 function bytes_for_varint',
    ]);
    expect(lines(await call('exports', { uri: at('src/lib.rs') }))).toEqual([
      '110 pub use crate::parse::Error;',
      '162 pub struct Version',
      '189 pub struct VersionReq',
      '196 pub struct Comparator',
      '253 pub enum Op',
      '318 pub struct Prerelease',
      '376 pub struct BuildMetadata',
    ]);
  });

  test('an import leads to another file, and a function is renamed in all its four places', async () => {
    const { call, at } = open('rust');
    const { data } = await call('definition', { query: 'Identifier', uri: at('src/parse.rs'), line: 3 });
    expect(data).toMatchObject({ by: 'import', line: 84, text: 'pub(crate) struct Identifier {' });
    const renamed = await call('rename', {
      query: 'decode_len',
      new_name: 'read_len',
      uri: at('src/identifier.rs'),
      apply: true,
    });
    expect(renamed.data).toMatchObject({ files_changed: 1, total_replacements: 4 });
    expect(readFileSync(at('src/identifier.rs'), 'utf8')).toContain('unsafe fn decode_len_cold(');
  });
});

describe.skipIf(!inDebian('ruby'))('Ruby: mustermann', () => {
  test('classes in a class, accessors, and who inherits from whom', async () => {
    const { call, at } = open('ruby');
    const found = await call('symbols', { uri: at('lib/mustermann/ast/node.rb') });
    expect(lines(found)).toHaveLength(50);
    expect(lines(found).slice(0, 8)).toEqual([
      '1 namespace Mustermann',
      '3 namespace Mustermann.AST',
      '5 class AST.Node',
      '7 field Node.payload',
      '7 field Node.start',
      '7 field Node.stop',
      '12 method Node.[]',
      '13 field Node.@names',
    ]);
    const { text } = await call('hierarchy', { query: 'Node', uri: at('lib') });
    expect(
      text
        .split('\n')
        .filter((line) => line.includes('extends'))
        .map((line) => line.replace(/ \S+$/, '')),
    ).toEqual([
      '  extends Capture',
      '    extends Splat',
      '      extends NamedSplat',
      '    extends Variable',
      '  extends Char',
      '  extends Expression',
      '  extends Composition',
      '    extends Group',
      '    extends Union',
      '  extends Optional',
      '  extends Or',
      '  extends Root',
      '  extends Separator',
      '  extends WithLookAhead',
    ]);
  });

  test('a method is renamed where its receiver is certain; a symbol and a translator are told', async () => {
    const { call, at } = open('ruby');
    const renamed = await call('rename', {
      query: 'each_leaf',
      new_name: 'each_end',
      uri: at('lib/mustermann/ast/node.rb'),
    });
    expect(renamed.data).toMatchObject({ files_changed: 1, total_replacements: 2 });
    expect(uncertain(renamed)).toEqual(['node.rb:69', 'compiler.rb:29']);
  });
});

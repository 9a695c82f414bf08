// Which names a language can give a symbol: identifiers that are none of its keywords.
import { shorten, ToolError } from '@hanzo/tool';
import type { LanguageId } from '../../../lib/syntax/index.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

// ECMA-262 2025, 12.7.2, with what strict mode and modules reserve
const SCRIPT = words(
  'await break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield let static implements interface package private protected public eval arguments',
);
// The TypeScript handbook's names of built-in types, which no type may have
const TYPES = words('any unknown never number bigint boolean string symbol object undefined');
const C = words(
  'auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local',
);

/** Reserved words, from each language's own reference. */
const KEYWORDS: Readonly<Record<LanguageId, ReadonlySet<string>>> = {
  typescript: SCRIPT,
  tsx: SCRIPT,
  javascript: SCRIPT,
  python: words(
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield',
  ),
  go: words(
    'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var _ init',
  ),
  rust: words(
    'as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while abstract become box do final macro override priv typeof unsized virtual yield try gen _',
  ),
  java: words(
    'abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally float for goto if implements import instanceof int interface long native new package private protected public return short static strictfp super switch synchronized this throw throws transient try void volatile while true false null _',
  ),
  c: C,
  cpp: new Set([
    ...C,
    ...words(
      'alignas alignof and and_eq asm bitand bitor bool catch char16_t char32_t char8_t class co_await co_return co_yield compl concept const_cast consteval constexpr constinit decltype delete dynamic_cast explicit export false friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast requires static_assert static_cast template this thread_local throw true try typeid typename using virtual wchar_t xor xor_eq',
    ),
  ]),
  csharp: words(
    'abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long namespace new null object operator out override params private protected public readonly ref return sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual void volatile while',
  ),
  ruby: words(
    'BEGIN END alias and begin break case class def defined? do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield __FILE__ __LINE__ __ENCODING__',
  ),
  php: words(
    'abstract and array as break callable case catch class clone const continue declare default do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile eval exit extends final finally fn for foreach function global goto if implements include include_once instanceof insteadof interface isset list match namespace new or print private protected public readonly require require_once return static switch throw trait try unset use var while xor yield this',
  ),
  bash: words('if then elif else fi time for in until while do done case esac coproc select function'),
  json: new Set(),
};

const PLAIN = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*$/u;
const SHAPES: Partial<Record<LanguageId, RegExp>> = {
  typescript: /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u,
  tsx: /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u,
  javascript: /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u,
  go: /^[\p{L}_][\p{L}\p{Nd}_]*$/u,
  java: /^[\p{L}\p{Nl}$_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}$_]*$/u,
  bash: /^[A-Za-z_][A-Za-z0-9_-]*$/,
  php: /^[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*$/,
};

/** INVALID_PARAMS for what cannot name a symbol, or not one of the kind of `old` (`#x`, `@x`, `x?`, a constant). */
export function checkName(name: string, old: string, language: LanguageId): void {
  const refuse = (why: string): never => {
    throw new ToolError('INVALID_PARAMS', `'new_name' ${JSON.stringify(shorten(name, 80))} ${why}`, {
      param: 'new_name',
    });
  };
  const [, sigil = '', , mark = ''] = /^([$@#]*)(.*?)([?!=]?)$/su.exec(old) ?? [];
  const [, given = '', bare = '', end = ''] = /^([$@#]*)(.*?)([?!=]?)$/su.exec(name) ?? [];
  if (language === 'json') refuse('names nothing: JSON has no symbols');
  const script = language === 'typescript' || language === 'tsx' || language === 'javascript';
  // `$` is a letter in scripts and Java
  const letter = script || language === 'java';
  const core = letter ? name.replace(/^#/, '') : bare + (language === 'ruby' ? '' : end);
  const signs = letter ? (name.startsWith('#') ? '#' : '') : given;
  const wanted = letter ? (old.startsWith('#') ? '#' : '') : sigil;
  if (signs !== wanted)
    refuse(wanted === '' ? `is no identifier of ${language}` : `must begin with ${wanted}, as '${old}' does`);
  if (!(SHAPES[language] ?? PLAIN).test(core)) refuse(`is no identifier of ${language}`);
  if (language === 'ruby' && end !== mark && end === '=') refuse('is no name of a method here');
  if (KEYWORDS[language].has(core)) refuse(`is a reserved word of ${language}`);
  if (name === old) refuse('is the name it has');
  if (language === 'ruby' && /^\p{Lu}/u.test(core) !== /^\p{Lu}/u.test(bareOf(old)))
    refuse('would make a constant of a name that is none, or the reverse');
}

const bareOf = (name: string): string => name.replace(/^[$@#]+/, '');

/** Whether a type may not be called so. */
export const isBuiltInType = (name: string, language: LanguageId): boolean =>
  (language === 'typescript' || language === 'tsx') && TYPES.has(name);

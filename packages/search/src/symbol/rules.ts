// How declarations read: what stands before a name and behind it, by family of languages. Data; classify.ts applies it.
import type { Family } from './families.ts';

/** A form of declaration. `before` is anchored at its end, `after` at its start; `^` in `before` is the start of the line. */
export interface Form {
  readonly before: RegExp;
  readonly after?: RegExp;
  /** what the name itself must look like */
  readonly name?: RegExp;
}

/** What a family has. */
export interface Rules {
  /** words that, directly before a name, declare it */
  readonly keywords: ReadonlySet<string>;
  readonly forms: readonly Form[];
  /** what starts a comment that goes to the end of the line; undefined: only lines that begin as comments are told */
  readonly comment?: RegExp;
  /** quotes that hold strings on one line */
  readonly quotes: string;
  /** declarations without a keyword (`int x`, `List<T> x(`), as C and Java write them; see declarator.ts */
  readonly typed?: boolean;
}

const words = (text = ''): ReadonlySet<string> => new Set(text.split(' ').filter((each) => each !== ''));
const form = (before: RegExp, after?: RegExp, name?: RegExp): Form => ({ before, after, name });

/** Names of constants and of what Go exports. */
const CAPITAL = /^[A-Z]/;

/** The comment of C's descendants. One inside a string would need its quotes read; a URL has no blank before its slashes. */
const SLASHES = /(?:^|\s)\/\//;
const HASH = /(?:^|\s)#/;
const DASHES = /(?:^|\s)--/;
const NOTHING_BEFORE = /^\s*$/;

/** `x = function`, `x: (a) => …`, `x = async a => …`: a value that is a function gives it its name. */
const FUNCTION_VALUE =
  /^\s*[?!]?\s*[:=]\s*(?:async\b\s*)?(?:function\b|class\b|\([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?::[^=]*)?=>|[\w$]+\s*=>|\($)/;

/** TypeScript's and JavaScript's words before members, and what may follow a member that has one. */
const MEMBER = String.raw`(?:public|private|protected|readonly|static|abstract|override|accessor|declare)`;
const MEMBER_END = /^\s*[?!]?\s*(?:[:=;(<,)]|$)/;

const SCRIPT: Rules = {
  keywords: words('function class interface enum namespace'),
  forms: [
    form(/\bfunction\s*\*\s*$/),
    // An import, however it is written, declares nothing that is not declared elsewhere.
    form(/(?:^|[^\w$.])(?:const|let|var)\s+$/, /^(?!\s*(?::[^=]*)?=\s*(?:await\s+import|require)\s*\()/),
    form(/(?:^|[;{]|\bfor\s*\()\s*(?:export\s+)?(?:const|let|var)\s+(?:\[[\w$\s,]*|[\w$]+\s*(?:,\s*[\w$]+\s*)*,\s*)$/),
    form(/(?:^|[^\w$.])type\s+$/, /^\s*(?:[=<]|$)/),
    form(/(?:^|[^\w$.])module\s+$/, /^\s*\{/),
    form(new RegExp(String.raw`(?:^|[^\w$.])${MEMBER}\s+(?:(?:async|get|set)\s+)?[*#]?$`), MEMBER_END),
    form(/(?:^|[^\w$])(?:exports|prototype)\.$/, /^\s*=[^=]/),
    form(/(?:^|[^\w$)\]])(?:[\w$]+\.)*#?$/, FUNCTION_VALUE),
    // Members without a modifier: a body, a return type or an optional mark tells them from calls.
    form(
      /^\s*(?:(?:async|get|set)\s+)?[*#]?$/,
      /^\??\s*(?:<[^()]*>)?\((?:[^()]|\([^()]*\))*\)\s*(?::\s*[^\s].*|\{.*)$/,
    ),
    form(/^\s*$/, /^\?:\s/),
    form(/^\s*$/, /^\s*=\s*(?:-?\d[\w.]*|'[^']*'|"[^"]*")\s*,\s*(?:\/\/.*)?$/),
  ],
  comment: SLASHES,
  quotes: '"\'`',
};

const PYTHON: Rules = {
  keywords: words('def class cdef cpdef'),
  forms: [
    form(/^type\s+$/, /^\s*[=[]/),
    form(/^$/, /^\s*(?::[^=]+)?=(?!=)/),
    form(/^\w+(?:\s*,\s*\w+)*\s*,\s*$/, /^[\w\s,]*=(?!=)/),
    form(/^(?:\w+\s*,\s*)*$/, /^\s*,[\w\s,]*=(?!=)/),
    form(/^\s*$/, /^\s*:\s*[A-Za-z_][\w.]*(?:\[[^=]*\])?(?:\s*\|\s*[\w.[\]]+)*\s*(?:=(?!=).*[^,(\s]\s*)?$/),
    form(/^\s*$/, /^\s*=\s*lambda\b/),
  ],
  comment: HASH,
  quotes: '"\'',
};

const GO: Rules = {
  keywords: words('func type var const'),
  forms: [
    form(/^\s*func\s*\([^)]*\)\s*$/),
    form(/(?:^|[;{]|\b(?:if|for|switch|case)\s)\s*(?:\w+\s*,\s*)*$/, /^\s*(?:,\s*\w+\s*)*:=/),
    form(/^\s*(?:var|const)\s+(?:\w+\s*,\s*)+$/),
    // In a block of `type (`, `const (` or `var (`, and fields and methods of types.
    form(NOTHING_BEFORE, /^(?:\[[^\]]*\])?\s+(?:struct|interface)\b/),
    form(NOTHING_BEFORE, /^(?:\s+[\w.*[\]]+)?\s*=\s*(?:.*\W)?iota\b/),
    form(/^(?:\t| {4})$/, /^(?:\s+[\w.*[\]]+)?\s*=[^=]/, CAPITAL),
    form(
      NOTHING_BEFORE,
      /^\s+(?:\*|\[\w*\]|map\[[\w.]+\]|(?:<-)?chan\s)*[\w.]+(?:\[[\w., ]*\])?\s*(?:`[^`]*`)?\s*(?:\/\/.*)?$/,
    ),
    form(NOTHING_BEFORE, /^\((?:[^()]|\([^()]*\))*\)\s+(?:\(|[*[]*\w)[^{]*$/),
  ],
  comment: SLASHES,
  quotes: '"`',
};

const RUST: Rules = {
  keywords: words('fn struct enum union trait mod type macro'),
  forms: [
    // Not `*const T`, which is a type, nor `&'static T`.
    form(/(?:^|[^\w*'])(?:const|static)\s+(?:mut\s+|ref\s+)?$/),
    form(/(?:^|\W)let\s+(?:mut\s+)?$/),
    form(/\bmacro_rules!\s*$/),
    form(/\bpub(?:\([^)]*\))?\s+$/, /^\s*:(?!:)/),
  ],
  comment: SLASHES,
  quotes: '"',
};

const DEFINE = [
  form(/^\s*#\s*define\s+$/),
  // DEFINE_MUTEX(x), SYSCALL_DEFINE3(x, …
  form(/^\s*(?:static\s+)?\w*DEFINE\w*\(\s*$/),
];

/** What C has besides typed declarations. A forward declaration (`struct x;`) is a mention. */
const C: Rules = {
  keywords: words(),
  forms: [
    ...DEFINE,
    form(
      /(?:^|\W)(?:struct|union|enum|class|namespace|concept)\s+(?:[\w():,\s]*\s)?$/,
      /^\s*(?:final\b\s*)?(?::(?!:)[^;]*)?\{/,
    ),
    form(
      /^\s*(?:typedef\s+|export\s+)*(?:template\s*<[^()]*>\s*)?(?:struct|union|enum(?:\s+class)?|class|namespace)\s+(?:\w+\s+)?$/,
      /^\s*(?:final\b\s*)?(?::(?!:)[^;{]*)?$/,
    ),
    form(/^\s*typedef\b.*\W$/, /^\s*(?:\[[^\]]*\]\s*)*;/),
    form(/^\s*typedef\b.*\(\s*\*\s*$/),
    form(/^\s*\}\s*(?:\w+\s+)*\*?$/, /^\s*(?:\[[^\]]*\]\s*)?(?:__\w+[^;]*)?[;=]/),
    form(/(?:^|\W)using\s+$/, /^\s*=/),
    form(NOTHING_BEFORE, /^\s*=\s*[^=;]+,\s*(?:\/[/*].*)?$/),
    // A definition whose type stands on the line above.
    form(/^$/, /^\((?!.*;\s*$)(?:.*[{,]|(?:[^()]|\([^()]*\))*\))\s*$/),
  ],
  comment: SLASHES,
  quotes: '"',
  typed: true,
};

const CPP: Rules = {
  ...C,
  forms: [
    ...C.forms,
    form(/(?:^|\W)concept\s+$/),
    // Constructors, in a class and outside of it.
    form(/^\s*(?:\w+::)*~?$/, /^\s*\((?:[^()]|\([^()]*\))*\)\s*(?:noexcept\b\s*)?(?::[^:].*)?\{/),
    form(/^\w+::~?$/, /^\s*\([^;]*$/),
  ],
};

const OBJC: Rules = {
  ...CPP,
  forms: [...CPP.forms, form(/^\s*[-+]\s*\([^)]*\)\s*$/), form(/@(?:interface|protocol)\s+$/, /^\s*(?:[:<({]|$)/)],
};

const JAVA: Rules = {
  keywords: words('class interface enum record struct delegate mixin extension typedef'),
  forms: [
    form(/(?:^|\W)(?:const|final|var|late|val)\s+$/, /^\s*[=;:]/),
    form(/(?:^|[^\w.])[\w<>[\],.?]+\s+$/, /^\s*\{\s*(?:get|set|init|private|protected|internal)\b/),
    // A constructor without a modifier.
    form(NOTHING_BEFORE, /^\((?:[^()]|\([^()]*\))*\)\s*(?:throws\s[\w\s,.]+|:\s*(?:base|this)\b.*)?\{/),
  ],
  comment: SLASHES,
  quotes: '"',
  typed: true,
};

const KOTLIN: Rules = {
  keywords: words('class interface object trait enum fun def val var type typealias given record annotation'),
  forms: [form(/\bfun\s+(?:<[^()]*>\s*)?(?:[\w<>?, ]+\.)?$/), form(NOTHING_BEFORE, FUNCTION_VALUE)],
  comment: SLASHES,
  quotes: '"',
};

const SWIFT: Rules = {
  keywords: words('class struct enum protocol actor func var let typealias associatedtype macro precedencegroup'),
  forms: [form(/^\s*(?:indirect\s+)?case\s+(?:\w+(?:\([^)]*\))?\s*,\s*)*$/, /^(?!.*:\s*$)(?:\(|\s*=|\s*,|\s*$)/)],
  comment: SLASHES,
  quotes: '"',
};

const RUBY: Rules = {
  keywords: words('def class module macro struct lib enum'),
  forms: [
    form(/\bdef\s+[\w.]+\.$/),
    form(/\b(?:class|module)\s+(?:\w+::)+$/),
    form(NOTHING_BEFORE, /^\s*=(?![=~>])/, CAPITAL),
    form(NOTHING_BEFORE, /^\s*=\s*(?:lambda\b|proc\b|->)/),
    form(/^\s*(?:private_)?(?:attr_\w+|define_method|alias_method|scope|delegate)\b.*:$/),
    form(/^\s*alias\s+:?$/),
  ],
  comment: HASH,
  quotes: '"\'',
};

const PHP: Rules = {
  keywords: words('function class interface trait enum const fn'),
  forms: [
    form(/\bfunction\s*&\s*$/),
    form(/\bconst\s+[\w\\|?]+\s+$/, /^\s*=/),
    form(/\b(?:public|private|protected|var|static|readonly)\b[^=;()$]*\$$/),
    form(/^\s*(?:if\s*\(.*)?\bdefine\(\s*['"]$/),
  ],
  comment: SLASHES,
  quotes: '',
};

const SHELL: Rules = {
  keywords: words('function alias'),
  forms: [
    form(NOTHING_BEFORE, /^\s*\(\s*\)/),
    form(/^$/, /^\+?=/),
    form(/^\s*(?:export|local|readonly|declare|typeset)\s+(?:-\w+\s+)*$/, /^(?:=|\s|$)/),
    form(/^\s*set\s+(?:-\w+\s+)*$/),
  ],
  comment: HASH,
  quotes: '"\'',
};

const LUA: Rules = {
  keywords: words('function local type'),
  forms: [
    form(/\bfunction\s+[\w.]*[.:]$/),
    form(/\blocal\s+(?:\w+\s*,\s*)+$/),
    form(/(?:^|[^\w])(?:[\w.]+\.)?$/, /^\s*=\s*function\b/),
  ],
  comment: DASHES,
  quotes: '"\'',
};

const ELIXIR: Rules = {
  keywords: words(
    'def defp defmacro defmacrop defmodule defprotocol defguard defguardp defdelegate defimpl defexception',
  ),
  forms: [form(/\bdefmodule\s+[\w.]*\.$/), form(/^\s*@(?:type|typep|opaque|callback)\s+$/)],
  comment: HASH,
  quotes: '"',
};

const ERLANG: Rules = {
  keywords: words(),
  forms: [form(/^$/, /^\(.*->/), form(/^-(?:define|record|type|opaque)\(?\s*$/)],
  comment: /(?:^|\s)%/,
  quotes: '"',
};

const HASKELL: Rules = {
  keywords: words('data type newtype class module'),
  forms: [
    form(/^$/, /^\s*::?\s/),
    form(/^$/, /^(?:\s+[^=\s]\S*)*\s*=(?!=)/),
    form(/\bclass\s.*=>\s*$/),
    form(/\btype\s+alias\s+$/),
  ],
  comment: DASHES,
  quotes: '"',
};

const ML: Rules = {
  keywords: words('let rec val type module exception external class method and mutable inline member'),
  forms: [form(/\bmember\s+(?:\w+\.)$/), form(/\btype\s+(?:'\w+|\([^)]*\))\s+$/)],
  quotes: '"',
};

const LISP: Rules = {
  keywords: words(),
  forms: [form(/\((?:\w+\/)?def[\w-]*\s+(?:\^\S+\s+)?\(?$/)],
  comment: /(?:^|\s);/,
  quotes: '"',
};

const PERL: Rules = {
  keywords: words('sub package constant'),
  forms: [form(/\b(?:my|our|local|state)\s+(?:\([^)]*)?[$@%]$/), form(/^\s*package\s+(?:\w+::)*$/)],
  comment: HASH,
  quotes: '"',
};

const R: Rules = {
  keywords: words(),
  forms: [form(/^$/, /^\s*(?:<-|=(?!=))/), form(NOTHING_BEFORE, /^\s*(?:<<?-|=)\s*function\b/)],
  comment: HASH,
  quotes: '"\'',
};

const JULIA: Rules = {
  keywords: words('function macro struct module const abstract'),
  forms: [
    form(/\babstract\s+type\s+$/),
    form(/\bprimitive\s+type\s+$/),
    form(/^$/, /^(?:\{[^}]*\})?\([^=]*\)\s*(?:where\s.*)?=(?!=)/),
  ],
  comment: HASH,
  quotes: '"',
};

const NIM: Rules = {
  keywords: words('proc func method template macro iterator converter type const let var'),
  forms: [form(NOTHING_BEFORE, /^\*?(?:\[[^\]]*\])?\s*=\s*(?:ref\s+|ptr\s+)?(?:object|enum|distinct|tuple)\b/)],
  comment: HASH,
  quotes: '"',
};

const SQL: Rules = {
  keywords: words(),
  forms: [
    form(
      /^\s*create\s+(?:or\s+replace\s+)?(?:\w+\s+){0,3}?(?:table|view|function|procedure|index|type|trigger|schema|sequence|database|role|extension|domain|aggregate)\s+(?:if\s+not\s+exists\s+)?(?:["`[]?\w+["`\]]?\.)*["`[]?$/i,
    ),
  ],
  comment: DASHES,
  quotes: "'",
};

const SCHEMA: Rules = {
  keywords: words(
    'message enum service rpc oneof extend type interface input union scalar directive struct exception typedef',
  ),
  forms: [form(/\bdirective\s+@$/)],
  comment: SLASHES,
  quotes: '"',
};

const SOLIDITY: Rules = {
  keywords: words('contract interface library function modifier event error struct enum type constructor'),
  forms: [
    form(
      /^(?!\s*(?:return|delete|emit|new)\s)\s*[\w.[\]()=>\s]+\s(?:(?:public|private|internal|constant|immutable)\s+)*$/,
      /^\s*[=;]/,
    ),
  ],
  comment: SLASHES,
  quotes: '"',
};

const ASSEMBLY: Rules = {
  keywords: words(),
  forms: [...DEFINE, form(/^$/, /^:/), form(/^\s*(?:SYM_\w*START\w*|ENTRY|GLOBAL|\.macro)\s*\(?\s*$/)],
  quotes: '"',
};

const ZIG: Rules = { keywords: words('fn const var'), forms: [], comment: SLASHES, quotes: '"' };

/** A file of no known family: the words that nearly every language has one of. */
const ANY: Rules = {
  keywords: words(
    'function class interface struct enum trait union type def fn func fun sub proc const let var val module namespace macro',
  ),
  forms: [...DEFINE, form(/^\s*func\s*\([^)]*\)\s*$/), form(/(?:^|[^\w$)\]])(?:[\w$]+\.)*$/, FUNCTION_VALUE)],
  quotes: '"',
};

export const RULES: Readonly<Record<Family, Rules>> = {
  script: SCRIPT,
  python: PYTHON,
  go: GO,
  rust: RUST,
  c: C,
  cpp: CPP,
  objc: OBJC,
  java: JAVA,
  kotlin: KOTLIN,
  swift: SWIFT,
  ruby: RUBY,
  php: PHP,
  shell: SHELL,
  lua: LUA,
  zig: ZIG,
  elixir: ELIXIR,
  erlang: ERLANG,
  haskell: HASKELL,
  ml: ML,
  lisp: LISP,
  perl: PERL,
  r: R,
  julia: JULIA,
  nim: NIM,
  sql: SQL,
  schema: SCHEMA,
  solidity: SOLIDITY,
  assembly: ASSEMBLY,
  any: ANY,
};

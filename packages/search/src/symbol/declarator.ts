// Declarations without a keyword, as C and Java write them: a type, then the name, then what tells it from a use.

/** Words that begin or stand in statements, never in a type. */
const STATEMENT =
  /(?:^|[^\w])(?:return|else|do|goto|case|throw|throws|new|delete|and|or|not|await|yield|assert|sizeof|typeof|in|is|as|using|import|package|if|while|for|switch|catch|co_\w+|default|break|continue|extends|implements|instanceof|echo|print)(?=\s|$)/;
const ANNOTATION =
  /@\w[\w.]*(?:\([^()]*\))?|\[\[[^\]]*\]\]|^\s*\[\w[\w., ()"=]*\]|__attribute__\s*\(\([^()]*(?:\([^()]*\)[^()]*)*\)\)|\bextern\s+"C(?:\+\+)?"|\[\]|\?(?=\s)/g;
/** What is left of a type when template arguments and annotations are gone: words, scopes, stars. One class, so linear. */
const TYPE = /^\s*(?:::)?[A-Za-z_$][\w$.:~\s*&]*$/;
/** Numbers, labels, logic. */
const NO_TYPE = /(?:^|[\s*&])\d|(?<!:):(?!:)|:::|&&/;
/** A name follows a type after a blank, a star, a reference, or the scope it belongs to. */
const ENDS_AS_TYPE = /[\w*&>\]?]\s*[*&]\s*$|[\w>\]?]\s+$|\s[*&]*(?:\w+::)+~?$|^\w+\s*[*&]+\s*$/;
/** Behind a variable, field or parameterless property. */
const VARIABLE = /^\s*(?:\[[^\]]*\]\s*)*(?:=(?![=>])|;|:\s*\d+\s*[;,]|,\s*[*\w]|\{[^{}]*\}\s*;|=>)/;

/** True if `before` is a type and `after` goes on as a function or a variable does. */
export function isTyped(before: string, after: string): boolean {
  if (!/\S\s*[\s*&:~]$/.test(before) || /&&|[=(){};|!+%^"']\s*$/.test(before)) return false;
  const type = bare(before);
  // `struct x;` only announces x.
  if (type === undefined || STATEMENT.test(type) || /\b(?:struct|class|union|enum|typename)\s*$/.test(type))
    return false;
  const typed = type.replace(/~$/, '');
  if (!ENDS_AS_TYPE.test(typed) || !TYPE.test(typed) || NO_TYPE.test(typed)) return false;
  if (/^\s*\(/.test(after) || /^\s*<[^()]*>\s*\(/.test(after)) return !isScopedCall(typed);
  return VARIABLE.test(after) || (/^\s*$/.test(after) && /^\s*(?:static|extern|const)\b/.test(typed));
}

/** `Foo::bar(` alone is a call; with a type before it, or as a definition, it is not. The latter is a form of its own. */
function isScopedCall(type: string): boolean {
  return /^\s*(?:\w+::)+$/.test(type);
}

/** The text without annotations and with template arguments taken out; undefined if they do not close. */
function bare(text: string): string | undefined {
  const plain = text.replaceAll(ANNOTATION, ' ');
  let out = '';
  let depth = 0;
  for (const sign of plain) {
    if (sign === '<') depth++;
    else if (sign === '>') {
      if (--depth < 0) return undefined;
    } else if (depth === 0) out += sign;
  }
  return depth === 0 ? out : undefined;
}

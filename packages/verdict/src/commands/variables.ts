// Variables that make a program run or load something: their values are judged as what they are.
import { exact, type Field, hasHole } from '../shell/value.ts';
import type { Bench } from './types.ts';

/** The value is a command line of its own. */
const COMMANDS =
  /^((GIT_)?(PAGER|EDITOR|SEQUENCE_EDITOR|SSH_COMMAND|SSH|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|MANPAGER|VISUAL|BROWSER|SSH_ASKPASS|SUDO_ASKPASS|CC|CXX|LD|AR|RUSTC_WRAPPER|RSYNC_RSH|FCEDIT|PROMPT_COMMAND)$/;
/** Paths from which code is loaded: the project's own may be. */
const PATHS =
  /^(PYTHONPATH|NODE_PATH|CLASSPATH|RUBYLIB|PERL5LIB|PERLLIB|KUBECONFIG|GIT_DIR|GIT_WORK_TREE|HOME|PATH|LD_LIBRARY_PATH|CARGO_HOME|COMPOSE_FILE|BUNDLE_GEMFILE|COMPOSER_HOME|GRADLE_USER_HOME|DOCKER_CONFIG|MANPATH|RIPGREP_CONFIG_PATH)$/;
const NODE_HARMLESS =
  /^(\s*--(max[-_]old[-_]space[-_]size=\d+|no-(warnings|deprecation)|enable-source-maps|experimental-[a-z-]+|trace-[a-z-]+|stack-trace-limit=\d+|unhandled-rejections=\w+|dns-result-order=\w+|openssl-legacy-provider|throw-deprecation|expose-gc)\s*)*$/;
const PLAIN: readonly (readonly [RegExp, RegExp])[] = [
  [/^NODE_OPTIONS$/, NODE_HARMLESS],
  [
    /^(JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS)$/,
    /^(\s*-(Xm[sxn]\d+[kmgKMG]?|D[\w.-]+=[\w.:/-]*|Dfile\.encoding=[\w-]+)\s*)*$/,
  ],
  [/^(MAKEFLAGS)$/, /^(\s*-[jks]?\d*\s*)*$/],
  [/^GOFLAGS$/, /^(\s*-(mod=\w+|race|v|count=\d+|tags=[\w,]+|trimpath)\s*)*$/],
  [
    /^(npm_config_|NPM_CONFIG_)(loglevel|yes|fund|audit|cache|progress|update_notifier|offline|legacy_peer_deps|production|omit|include)$/i,
    /^[\w./-]*$/,
  ],
  [
    /^PIP_(NO_INPUT|DISABLE_PIP_VERSION_CHECK|NO_CACHE_DIR|REQUIRE_VIRTUALENV|QUIET|PROGRESS_BAR|BREAK_SYSTEM_PACKAGES)$/,
    /^\w*$/,
  ],
  [/^(LESS|MORE)$/, /^[A-Za-z -]*$/],
  [/^XZ_(OPT|DEFAULTS)$/, /^(\s*-(\d|e|T\d+))*$/],
  [/^GOTOOLCHAIN$/, /^(local|auto|go[\d.]+)$/],
  [/^GO(PROXY|SUMDB)$/, /^(off|direct|https:\/\/proxy\.golang\.org(,direct)?|sum\.golang\.org)$/],
  [/^(PYTHON(INSPECT|BREAKPOINT))$/, /^0?$/],
  [/^(PS[0-4]|HISTFILE|TERMINFO|SHELLOPTS|BASHOPTS)$/, /^[\w./>$#% -]*$/],
];

export function judgeVariable(name: string, value: Field, bench: Bench): void {
  const text = exact(value);
  if (text === '') return;
  const plain = PLAIN.find(([which]) => which.test(name));
  if (plain && text !== undefined && plain[1].test(text)) return;
  if (COMMANDS.test(name) && text !== undefined) {
    bench.shell(value);
    return;
  }
  if (PATHS.test(name)) {
    const folders = pathList(value, name);
    if (
      folders &&
      folders.every((folder) =>
        (bench.zones(folder) ?? [{ zone: 'elsewhere' }]).every(({ zone }) => zone === 'inside' || zone === 'root'),
      )
    )
      return;
  }
  bench.report('ask', 'variable', `${name} changes which code runs`);
}

/** The folders of a list between colons; undefined where one of them is not known. The variable's own old value may be among them. */
function pathList(value: Field, name: string): Field[] | undefined {
  const folders: Field[] = [];
  let text = '';
  for (const piece of value.pieces) {
    if (piece.kind === 'text') text += piece.text;
    else if (piece.kind === 'hole' && piece.why.replaceAll(/[${}"]/g, '').replace(/:.*/, '') === name) text += ':';
    else return undefined;
  }
  if (hasHole(value) && text === '') return undefined;
  for (const folder of text.split(':')) {
    if (folder !== '') folders.push({ ...value, pieces: [{ kind: 'text', text: folder, quoted: true }] });
  }
  return folders;
}

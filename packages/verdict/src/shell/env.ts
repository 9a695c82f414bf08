// The variables a program knows of itself: what it set, and the few of its surroundings that paths are made of.
import type { Machine } from '../types.ts';
import type { Field } from './value.ts';

/** What a variable may be: some texts, or not known. */
export type Known = readonly string[] | 'unknown';

/** Variables that make a program run something else, load code, or split words in another way. */
const DANGEROUS =
  /^(LD_(PRELOAD|LIBRARY_PATH|AUDIT)|DYLD_.*|BASH_ENV|ENV|PROMPT_COMMAND|PS[0-4]|IFS|PATH|CDPATH|SHELLOPTS|BASHOPTS|BASH_FUNC_.*|GIT_(SSH|SSH_COMMAND|EXTERNAL_DIFF|PAGER|EDITOR|SEQUENCE_EDITOR|ASKPASS|PROXY_COMMAND|EXEC_PATH|TEMPLATE_DIR|CONFIG.*|DIR|WORK_TREE|ALTERNATE_OBJECT_DIRECTORIES)|PAGER|MANPAGER|EDITOR|VISUAL|BROWSER|SSH_ASKPASS|SUDO_ASKPASS|NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|PYTHON(STARTUP|PATH|HOME|INSPECT|BREAKPOINT|USERBASE|EXECUTABLE)|PERL5(OPT|LIB|DB)|PERLLIB|RUBY(OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|MAVEN_OPTS|GRADLE_OPTS|LESSOPEN|LESSCLOSE|RUSTC_WRAPPER|RUSTC|CARGO_BUILD_RUSTC.*|CC|CXX|LD|AR|MAKEFLAGS|GOFLAGS|TERMINFO|HISTFILE|npm_config_.*|NPM_CONFIG_.*|YARN_.*|PIP_.*|UV_.*|DOCKER_HOST|KUBECONFIG|HOME|TAR_OPTIONS|GZIP|RSYNC_RSH|CVS_RSH|FCEDIT|OPENSSL_CONF|WGETRC|CURL_HOME|G?VIMINIT|EXINIT|MYVIMRC|LESS|LESSKEY.*|MORE|MANOPT|MANPATH|ZIPOPT|ZIP|UNZIP|UNZIPOPT|ZIPINFO(OPT)?|XZ_(OPT|DEFAULTS)|AWS_(ENDPOINT_URL.*|CONFIG_FILE|SHARED_CREDENTIALS_FILE|CA_BUNDLE)|TF_CLI_(ARGS.*|CONFIG_FILE)|DOCKER_(CONTEXT|CONFIG)|CONTAINER_HOST|COMPOSE_FILE|CARGO_HOME|CARGO_TARGET_.*_(RUNNER|LINKER)|RUSTUP_(HOME|DIST_SERVER|UPDATE_ROOT)|GO(PROXY|ROOT|SUMDB|NOSUMDB|INSECURE|ENV|TOOLCHAIN)|PSQLRC|PSQL_(PAGER|EDITOR)|EMACSLOADPATH|NODE_(EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED)|(https?|all|HTTPS?|ALL)_(proxy|PROXY)|SSL_CERT_(FILE|DIR)|GCONV_PATH|LOCPATH|SCREENRC|INPUTRC|ZDOTDIR|FPATH|fpath|HELM_(PLUGINS|BIN)|(KUBE|SYSTEMD|SUDO)_EDITOR|ANSIBLE_.*|BUNDLE_GEMFILE|COMPOSER_HOME|GRADLE_USER_HOME|PRE_COMMIT_HOME|RIPGREP_CONFIG_PATH|MAGICK_.*)$/;

export function isDangerousVariable(name: string): boolean {
  return DANGEROUS.test(name);
}

/** Of the surroundings only those are asked for that paths commonly start with. */
const SURROUNDING = new Set([
  'HOME',
  'PWD',
  'USER',
  'LOGNAME',
  'TMPDIR',
  'XDG_CONFIG_HOME',
  'XDG_CACHE_HOME',
  'XDG_DATA_HOME',
  'UID',
  'EUID',
]);

export class Variables {
  readonly #values: Map<string, Known>;
  readonly #machine: Machine;
  readonly #patterns: Map<string, Field>;
  /** those that hold key material, or may */
  readonly secrets = new Set<string>();
  /** words are split at other characters than blanks, or that is not known */
  splitsOddly = false;

  constructor(
    machine: Machine,
    values: ReadonlyMap<string, Known> = new Map(),
    patterns: ReadonlyMap<string, Field> = new Map(),
  ) {
    this.#machine = machine;
    this.#values = new Map(values);
    this.#patterns = new Map(patterns);
  }

  get(name: string): Known {
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    if (!SURROUNDING.has(name)) return 'unknown';
    const value = name === 'HOME' ? this.#machine.home : this.#machine.variable?.(name);
    return value === undefined ? 'unknown' : [value];
  }

  /** The program itself has said something of it. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  set(name: string, value: Known): void {
    if (name === 'IFS') this.splitsOddly = true;
    this.#values.set(name, value);
    this.#patterns.delete(name);
  }

  /** The variable of a loop over a pattern: any one of the files it names. */
  setPattern(name: string, field: Field): void {
    this.#patterns.set(name, field);
  }

  pattern(name: string): Field | undefined {
    return this.#patterns.get(name);
  }

  /** After code that may have run or not: both are possible. */
  also(name: string, value: Known): void {
    const before = this.get(name);
    this.set(name, before === 'unknown' || value === 'unknown' ? 'unknown' : union(before, value));
  }

  copy(): Variables {
    const made = new Variables(this.#machine, this.#values, this.#patterns);
    made.splitsOddly = this.splitsOddly;
    for (const name of this.secrets) made.secrets.add(name);
    return made;
  }

  /** What may hold after one of two ways was taken. */
  join(other: Variables): void {
    for (const name of new Set([...this.#values.keys(), ...other.#values.keys()])) this.also(name, other.get(name));
    this.splitsOddly ||= other.splitsOddly;
    for (const name of other.secrets) this.secrets.add(name);
  }
}

function union(a: readonly string[], b: readonly string[]): Known {
  const both = [...new Set([...a, ...b])];
  return both.length > 16 ? 'unknown' : both;
}

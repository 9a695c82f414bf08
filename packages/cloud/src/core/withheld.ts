// What is never offered to an agent, by the name of an operation alone (contract, cloud clients 9.4). Applied once, in names.ts.

/** Said to whoever sees a shortened list. */
export const WITHHELD_RULE =
  'operations that disclose a bearer secret, and those that change identity or authority, are not offered to agents';

const FILLER = new Set('by the a an of for my me all and'.split(' '));
const SECRET =
  /^(?:passwords?|credentials?|secrets?|apikeys?|jwts?|t?otps?|passkeys?|mnemonics?|privatekeys?|keypairs?)$/;
const SECRET_PAIR = /^(?:api key|private key|key pair|seed phrase)s?$/;
const COUNTING = new Set('count counts usage limit limits budget max min total per price cost costs'.split(' '));
const ASSET = new Set('id symbol supply balance'.split(' '));
const AUTH_WORD = new Set('signin login auth oauth sso user users email cookie bearer v1'.split(' '));
const READING = new Set('get list read head fetch find search'.split(' '));
const CHANGING = new Set(
  (
    'post put patch delete create update upsert set add remove purge reset rotate grant revoke assign unassign issue mint sign ' +
    'invite register enroll provision deprovision enable disable activate deactivate suspend promote demote impersonate attach ' +
    'detach bind unbind link unlink login logout signin signup signout rewrap'
  ).split(' '),
);
const AUTHORITY =
  /^(?:users?|roles?|permissions?|polic(?:y|ies)|members?|memberships?|principals?|identit(?:y|ies)|invites?|invitations?|auth|auth[nz]|oauth|oidc|saml|sso|scim|mfa|2fa|webauthn|superusers?|impersonations?|acls?|rbac|iam|kms)$/;
const STORED = new Set(
  (
    'kv bucket namespace value values cache store project projects flag flags def defs attribute attributes field fields label ' +
    'labels index partition idempotency row rows item items object objects'
  ).split(' '),
);

/** The words of a name: at `_ - . / :`, blanks, and where a capital begins one (`CreateLLMScore`: create, llm, score). */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[_\-./:\s]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** Whether an operation of this name is kept from agents. A name without words is. */
export function isWithheld(name: string): boolean {
  const words = wordsOf(name);
  if (words.length === 0) return true;
  const next = (at: number, step: 1 | -1): string | undefined => {
    let index = at + step;
    while (words[index] !== undefined && FILLER.has(words[index] as string)) index += step;
    return words[index];
  };
  const discloses = words.some((word, at) => {
    if (SECRET.test(word) || SECRET_PAIR.test(`${word} ${words[at + 1] ?? ''}`)) return true;
    const [before, after] = [next(at, -1), next(at, 1)];
    if (/^tokens?$/.test(word)) return ![before, after].some(counts) && !(after !== undefined && ASSET.has(after));
    if (!/^sessions?$/.test(word)) return false;
    return before === undefined || CHANGING.has(before) || READING.has(before) || AUTH_WORD.has(before);
  });
  if (discloses) return true;
  return (
    words.some((word) => CHANGING.has(word)) && words.some((word, at) => isAuthority(word, next(at, -1), next(at, 1)))
  );
}

function counts(word: string | undefined): boolean {
  return word !== undefined && COUNTING.has(word);
}

function isAuthority(word: string, before: string | undefined, after: string | undefined): boolean {
  if (AUTHORITY.test(word)) return true;
  if (/^accounts?$/.test(word)) return before === 'service';
  if (/^domains?$/.test(word)) return before === 'auth';
  return /^keys?$/.test(word) && ![before, after].some((each) => each !== undefined && STORED.has(each));
}

// Command lines of clouds: which word is the verb, and which files of this machine go there.
import { type Stream, UNKNOWN } from '../../shell/state.ts';
import { after, exact, type Field, heads } from '../../shell/value.ts';
import type { Bench, Special } from '../types.ts';

const THERE: Stream = { network: true, secret: false };
const TAKES =
  /^(--(profile|region|output|query|project|zone|format|filter|filters|subscription|resource-group|account|limit|configuration|context|page-size|max-items|cli-read-timeout|color|verbosity|name|query-examples|location)|-[oglnpm])$/;
const SECRETS =
  /secret|password|get-session-token|get-login|decrypt|access-token|credentials|assume-role|identity-token|get-authorization-token|presign|--with-decryption|keys? list|print-|get-federation|list-keys|connection-string|kubeconfig|get-object|get-parameter|get-role-cred/i;

/** The words that are not options, up to the first option that is not known; whether all of them were seen. */
function plain(args: readonly Field[]): { words: string[]; at: number[] } {
  const words: string[] = [];
  const at: number[] = [];
  for (let i = 0; i < args.length; i++) {
    const text = exact(args[i]);
    if (text === undefined) break;
    if (TAKES.test(text)) i++;
    else if (text.startsWith('-')) {
      if (
        !/=/.test(text) &&
        !/^--(no-\S+|debug|quiet|verbose|dryrun|recursive|human-readable|summarize|version|help)$|^-[vhqr]$/.test(text)
      )
        break;
    } else {
      words.push(text);
      at.push(i);
    }
  }
  return { words, at };
}

/** `file://x` as a value: the file's text is sent. */
function sent(args: readonly Field[], bench: Bench): void {
  for (const field of args) {
    const text = exact(field) ?? heads(field)[0] ?? '';
    const file = /^(?:--[\w-]+=)?(?:fileb?:\/\/|@)/.exec(text);
    if (file) bench.role('upload', after(field, file[0].length));
  }
}

/** A bucket, not a file. */
const far = (field: Field): boolean => (exact(field) ?? '').startsWith('s3://');

export const aws: Special = (bench): Stream => {
  const args = bench.invocation.fields.slice(1);
  const { words, at } = plain(args);
  const [service = '', verb = ''] = words;
  const all = args.map((field) => exact(field) ?? '').join(' ');
  if (args.length === 1 && /^(--version|help)$/.test(all)) return UNKNOWN;
  if (/--(endpoint-url|no-verify-ssl|ca-bundle)/.test(all))
    bench.report('ask', 'elsewhere', 'aws talks to another service');
  sent(args, bench);
  if (service === 's3' && /^(cp|sync|mv)$/.test(verb)) {
    const [from, to] = [args[at[2] ?? -1], args[at[3] ?? -1]];
    if (from && to && far(from) && !far(to) && verb !== 'mv') {
      if (exact(to) !== '-') bench.role('into', to);
      return THERE;
    }
    for (const field of args.slice((at[1] ?? 0) + 1))
      if (!far(field) && !(exact(field) ?? '').startsWith('-'))
        bench.role('upload', field, { recursive: true, network: true });
    bench.report('ask', 'changes-cloud', `aws s3 ${verb} changes what is stored there`);
    return THERE;
  }
  const looks =
    (service === 's3' && verb === 'ls') ||
    (service === 'configure' && verb === 'list') ||
    (service !== 's3' &&
      service !== 'configure' &&
      /^(describe|list|get|head|lookup|search|filter|batch-get|wait|tail|validate)(-|$)/.test(verb));
  if (!looks) bench.report('ask', 'changes-cloud', `aws ${service} ${verb} may change what runs there`);
  else if (SECRETS.test(all)) {
    bench.report('ask', 'reads-key', `aws ${service} ${verb} reads what is secret`);
    return { network: true, secret: true };
  }
  return THERE;
};

const NOUNS =
  /^(compute|instances?|container|clusters?|projects?|config|configurations?|auth|services?|functions|run|sql|storage|buckets?|objects?|iam|roles?|service-accounts|logging|logs|pubsub|topics|subscriptions?|dns|networks?|subnets|firewall-rules|disks?|images?|zones|regions|app|versions?|builds?|artifacts|repositories|node-pools|operations|domains?|account|group|vm|webapp|aks|acr|network|vnet|nic|deployment|resource|monitor|metrics|droplets?|kubernetes|databases?|apps?|registry|server|volumes?|load-balancers?|target|machine-types|components|beta|alpha|datasets|tables|revisions|jobs)$/;

export const cloud: Special = (bench): Stream => {
  const { fields } = bench.invocation;
  const args = fields.slice(1);
  const tool = (exact(fields[0]) ?? '').replace(/.*\//, '');
  const { words } = plain(args);
  const all = args.map((field) => exact(field) ?? '').join(' ');
  if (/^(--version|-v|version|info|help|--help)$/.test(all)) return UNKNOWN;
  sent(args, bench);
  const verb = words.findIndex((word) => !NOUNS.test(word));
  const looks =
    verb >= 0 && /^(list|ls|describe|show|get-iam-policy|list-\S+|read|stat|du|head)$/.test(words[verb] ?? '');
  if (!looks) bench.report('ask', 'changes-cloud', `${tool} ${words.join(' ')} may change what runs there`);
  else if (SECRETS.test(all)) {
    bench.report('ask', 'reads-key', `${tool} ${words.join(' ')} reads what is secret`);
    return { network: true, secret: true };
  }
  return THERE;
};

export const ansible: Special = (bench): Stream => {
  const { fields } = bench.invocation;
  const words = fields.slice(1).map((field) => exact(field) ?? '');
  const name = (exact(fields[0]) ?? '').replace(/.*\//, '');
  if (
    words.some((word) => /^--(syntax-check|list-hosts|list-tasks|list-tags|version|help)$/.test(word)) ||
    (name === 'ansible-galaxy' && words.includes('list'))
  )
    return UNKNOWN;
  bench.report('ask', 'remote', `${name} works on other machines`);
  const at = words.findIndex((word) => /^(-a|--args)$/.test(word));
  if (name === 'ansible' && at >= 0 && fields[at + 2])
    bench.shell(fields[at + 2]!, { remote: true, asRoot: false, cwds: undefined });
  return THERE;
};

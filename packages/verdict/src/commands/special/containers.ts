// `docker` and `kubectl`: what looks, what a container is given of this machine, and what is run in one.
import { type Stream, UNKNOWN } from '../../shell/state.ts';
import { after, exact, type Field, hasHole, heads, textField } from '../../shell/value.ts';
import type { Bench, Special } from '../types.ts';

const FAR = { remote: true, asRoot: false, cwds: undefined } as const;
const LOOKS =
  /^((ps|images|logs|inspect|version|info|stats|top|port|diff|history|events|search|help)|(container|image|volume|network|system|context|plugin|builder|buildx|manifest|node|service|stack|pod|machine) (ls|list|ps|inspect|logs|df|info|events|show|du|stats|top|port|diff|history|version)|compose (ps|logs|config|images|ls|top|version|port|events|stats))$/;
/** The project's own services and images, made by what stands in its own files. */
const BUILDS =
  /^(build|(buildx|image|builder) (build|b)|buildx bake|compose (build|up|start|stop|restart|down|create|pause|unpause|watch))$/;
const GROUPS =
  /^(container|image|volume|network|system|context|plugin|builder|buildx|manifest|node|service|stack|pod|machine|compose|secret|config|swarm|trust|scout|model)$/;
const TAKES =
  /^(-f|--file|-t|--tag|-p|--project-name|--profile|--env-file|--build-arg|--target|--platform|--format|--filter|-n|--tail|--since|--until|--progress|--label|--cache-from|--network|--project-directory|--scale|--parallel|--pull|--timeout|--log-level|-l|--context|-c|--config|-H|--host|-m|--memory|--output|-o|--secret|--ssh|--cache-to|--builder|--ulimit|--shm-size|--add-host|--iidfile|--metadata-file|--allow|--build-context)$/;

export const docker: Special = (bench): Stream => {
  const { fields } = bench.invocation;
  const name = (exact(fields[0]) ?? '').replace(/.*\//, '');
  let at = 1;
  const words: string[] = [];
  if (name.endsWith('-compose')) words.push('compose');
  const early: Field[] = [];
  for (; at < fields.length; at++) {
    const text = exact(fields[at]);
    if (text === undefined) break;
    if (text.startsWith('-')) {
      early.push(fields[at]!);
      if (/^(-H|--host|-c|--context|--config|--url|-r|--remote|--connection)(=|$)/.test(text) && words.length === 0)
        bench.report('ask', 'elsewhere', `${name} ${text} talks to another engine`);
      if (TAKES.test(text)) early.push(fields[++at]!);
      continue;
    }
    words.push(text);
    if (words.length === 2 || !GROUPS.test(text)) break;
  }
  const verb = words.join(' ');
  const rest = [...early.filter(Boolean), ...fields.slice(at + 1)];
  if (words.length === 0 && at >= fields.length) return UNKNOWN;
  for (const each of rest)
    if (hasHole(each) && each.pieces[0]?.kind === 'hole' && !LOOKS.test(verb))
      bench.report('ask', 'option-unknown', `${each.source} may be an option of ${name}`);
  if (LOOKS.test(verb)) {
    const output = rest.findIndex((field) => /^(-o|--output)$/.test(exact(field) ?? ''));
    if (verb === 'compose config' && output >= 0 && rest[output + 1]) bench.role('write', rest[output + 1]!);
    return UNKNOWN;
  }
  if (BUILDS.test(verb)) {
    build(verb, rest, name, bench);
    return UNKNOWN;
  }
  bench.report('ask', 'changes-containers', `${name} ${verb} runs or changes what is not the working tree's`);
  if (/(^| )(run|create|update)$/.test(verb)) run(rest, name, bench);
  if (/(^| )(exec|run)$/.test(verb)) inside(rest, bench);
  return UNKNOWN;
};

function build(verb: string, rest: readonly Field[], name: string, bench: Bench): void {
  for (let i = 0; i < rest.length; i++) {
    const text = exact(rest[i]) ?? heads(rest[i]!)[0] ?? '';
    const cut = text.indexOf('=');
    const option = cut > 0 && text.startsWith('-') ? text.slice(0, cut) : text;
    const value = cut > 0 ? after(rest[i]!, cut + 1) : rest[i + 1];
    if (
      /^(--push|--ssh|--secret|--allow|--output|-o|--load-to|--cache-to|--builder|--add-host|--build-context|-v|--volumes|--rmi|--remove-orphans)$/.test(
        option,
      ) &&
      !(option === '-v' && verb !== 'compose down') &&
      !(option === '-o' && verb.startsWith('compose'))
    )
      bench.report('ask', 'option', `${name} ${verb} ${option} sends, takes in or deletes more than the build`);
    if (/^(-f|--file|--env-file|--project-directory|--iidfile|--metadata-file)$/.test(option) && value)
      ownFile(value, name, bench);
    if (text.startsWith('-') && text !== '-') {
      if (cut < 0 && TAKES.test(option)) i++;
    } else if (!verb.startsWith('compose') && !verb.endsWith('bake')) ownFile(rest[i]!, name, bench);
  }
  if (
    bench.invocation.state.cwds?.some((cwd) =>
      bench.zones(textField(cwd, bench.invocation.span))?.some(({ zone }) => !/^(inside|root|temporary)$/.test(zone)),
    ) ??
    true
  )
    bench.report('ask', 'elsewhere', `${name} ${verb} works on files outside the roots`);
}

function ownFile(field: Field, name: string, bench: Bench): void {
  if (exact(field) === '-')
    return bench.report('ask', 'script-unknown', `${name} takes its instructions from its input`);
  const places = /:|^git@/.test(exact(field) ?? '') ? undefined : bench.zones(field);
  if (places === undefined || places.some(({ zone, open }) => open || !/^(inside|root)$/.test(zone)))
    bench.report('ask', 'script-unknown', `${name} builds from ${field.source}, which is not under the roots`);
}

/** What of this machine a container is given. */
function run(rest: readonly Field[], name: string, bench: Bench): void {
  for (const [i, field] of rest.entries()) {
    const text = exact(field) ?? heads(field)[0] ?? '';
    const value =
      /^(-v|--volume)$/.test(text) || text === '--mount'
        ? rest[i + 1]
        : /^(-v.|--volume=|--mount=)/.test(text)
          ? after(field, text.startsWith('--') ? text.indexOf('=') + 1 : 2)
          : undefined;
    if (!value) continue;
    const spec = exact(value) ?? heads(value)[0] ?? '';
    const from = /(?:^|,)(?:source|src)=([^,]+)/.exec(spec)?.[1] ?? spec.split(':')[0] ?? '';
    if (!/^[/.~]/.test(from)) continue;
    for (const { zone, path } of bench.zones(textField(from, value.span)) ?? []) {
      if (
        /^(ancestor|system-top|device|key|startup)$/.test(zone) ||
        /(docker|containerd|crio|podman)\.sock$/.test(path)
      )
        bench.report('deny', 'mounts-system', `${name} gives a container ${path}, and with it the machine`);
    }
  }
}

/** What is run there is judged as on another machine. */
function inside(rest: readonly Field[], bench: Bench): void {
  for (const [i, field] of rest.entries()) {
    const text = exact(field);
    if (text === undefined || text.startsWith('-')) continue;
    if (i > 0 && bench.knows(text.replace(/.*\//, ''))) {
      bench.command(rest.slice(i), FAR);
      return;
    }
  }
}

export const kubectl: Special = (bench): Stream => {
  const { operands, path, unknownSub } = bench.ordinary();
  const { fields } = bench.invocation;
  const words = operands.map((field) => exact(field) ?? 'secret');
  if (path[0] === 'get' || path[0] === 'describe') {
    if (
      words.some((word) => /^(secrets?|all,secret.*|.*\bsecrets?\b.*)$/i.test(word)) ||
      fields.some((field) => exact(field) === '--raw')
    ) {
      bench.report('ask', 'reads-key', 'kubectl reads secrets of the cluster');
      return { network: true, secret: true };
    }
  }
  if (path[0] === 'config' && fields.some((field) => /^--(raw|flatten)/.test(exact(field) ?? ''))) {
    bench.report('ask', 'reads-key', 'kubectl prints the keys of the cluster');
    return { network: true, secret: true };
  }
  if (unknownSub) {
    const dashes = fields.findIndex((field) => exact(field) === '--');
    if (dashes > 0) bench.command(fields.slice(dashes + 1), FAR);
    if (exact(unknownSub) === 'exec' && dashes < 0) inside(operands.slice(1), bench);
  }
  return { network: true, secret: false };
};

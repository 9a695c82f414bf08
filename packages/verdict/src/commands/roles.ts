// What an argument means once it is known where it leads: the one table of who may read, write and delete where.
import type { Zone } from '../places/zones.ts';
import type { Decision } from '../types.ts';

export interface Effect {
  readonly decision: Decision;
  readonly rule: string;
  /** completes "`rm -rf /`: ..." */
  readonly message: string;
}

const ALLOW: Effect = { decision: 'allow', rule: 'allowed', message: '' };

function effect(decision: Decision, rule: string, message: string): Effect {
  return { decision, rule, message };
}

export function readEffect(zone: Zone, path: string): Effect {
  switch (zone) {
    case 'key':
      return effect('ask', 'reads-key', `reads ${path}, which holds keys or passwords`);
    case 'device':
      return effect('ask', 'reads-device', `reads the device ${path}`);
    case 'socket':
      return effect('ask', 'opens-connection', `opens a network connection by ${path}`);
    default:
      return ALLOW;
  }
}

export function writeEffect(zone: Zone, path: string): Effect {
  switch (zone) {
    case 'inside':
    case 'temporary':
    case 'temporary-root':
    case 'root':
    case 'stream':
      return ALLOW;
    case 'device':
      return effect('deny', 'writes-device', `writes to the device ${path}`);
    case 'socket':
      return effect('ask', 'opens-connection', `sends to the network by ${path}`);
    case 'key':
      return effect('deny', 'writes-key', `writes to ${path}, which holds keys or passwords`);
    case 'startup':
      return /authorized_keys|sudoers|\/etc\/(passwd|group|shadow|pam|ld\.so\.preload)/.test(path)
        ? effect('deny', 'writes-login', `writes to ${path}, which says who may enter`)
        : effect('ask', 'writes-startup', `writes to ${path}, which runs or decides what runs later`);
    case 'control':
      return effect('ask', 'writes-control', `writes to ${path}, which changes what tools run`);
    case 'system':
    case 'system-top':
      return effect('ask', 'writes-system', `writes to ${path}, which belongs to the system`);
    case 'ancestor':
    case 'elsewhere':
      return effect('ask', 'writes-outside', `writes to ${path}, which is under none of the roots`);
  }
}

/** `all`: everything in the directory, as `dir/*` has it; `recursive`: with all that is below. */
export function deleteEffect(zone: Zone, path: string, recursive: boolean, all: boolean): Effect {
  const what = all ? `everything in ${path}` : path;
  switch (zone) {
    case 'inside':
    case 'temporary':
    case 'stream':
      return ALLOW;
    case 'temporary-root':
      return effect('ask', 'deletes-temporary', `deletes ${what}, where other programs keep files`);
    case 'root':
      return effect('ask', 'deletes-root', `deletes ${what}, the whole working tree`);
    case 'ancestor':
      return recursive || all
        ? effect('deny', 'deletes-above', `deletes ${what}, which holds the home, the working tree or the whole system`)
        : effect('ask', 'deletes-outside', `deletes ${what}`);
    case 'system-top':
      return recursive || all
        ? effect('deny', 'deletes-system', `deletes ${what}, a part of the system`)
        : effect('ask', 'deletes-outside', `deletes ${what}`);
    case 'device':
      return effect('deny', 'deletes-device', `deletes the device ${path}`);
    case 'key':
      return recursive
        ? effect('deny', 'deletes-key', `deletes ${what}, which holds keys or passwords`)
        : effect('ask', 'deletes-key', `deletes ${what}, which holds keys or passwords`);
    case 'control':
      return effect(
        'ask',
        'deletes-control',
        `deletes ${what}, which holds the history or the settings of the working tree`,
      );
    case 'system':
    case 'startup':
      return effect('ask', 'deletes-system', `deletes ${what}, which belongs to the system`);
    case 'socket':
    case 'elsewhere':
      return effect('ask', 'deletes-outside', `deletes ${what}, which is under none of the roots`);
  }
}

export function runEffect(zone: Zone, path: string): Effect {
  switch (zone) {
    case 'inside':
    case 'root':
    case 'control':
      return ALLOW;
    default:
      return effect('ask', 'runs-outside', `runs ${path}, which is under none of the roots`);
  }
}

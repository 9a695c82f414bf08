// What comes in by standard input or a hidden prompt. Secrets come this way or from a variable, never from arguments.
import process from 'node:process';
import { UsageError } from './exit.ts';

let taken: string | undefined;

/** All of standard input. `what` is the flag that asks; a second one has nothing left to read. */
export async function readStdin(what: string): Promise<string> {
  if (taken !== undefined) throw new UsageError(`${taken} and ${what} cannot both read standard input`);
  taken = what;
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** A line typed without being shown; from a pipe, all of it. Without the line end. */
export async function readSecret(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return (await readStdin(prompt)).replace(/\r?\n$/, '');
  stderr.write(`${prompt}: `);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  let text = '';
  try {
    for await (const chunk of stdin as AsyncIterable<string>) {
      for (const key of chunk) {
        if (key === '\r' || key === '\n' || key === '\u0004') return text;
        if (key === '\u0003') throw new UsageError('given up');
        if (key === '\u007F' || key === '\b') text = [...text].slice(0, -1).join('');
        else if (key >= ' ') text += key;
      }
    }
    return text;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

/** The value of a variable that holds a secret. */
export function secretOf(variable: string, env: NodeJS.ProcessEnv): string {
  const value = env[variable];
  // the name may be the secret itself, put in the wrong place: it is not repeated
  if (!/^[A-Za-z_]\w{0,99}$/.test(variable))
    throw new UsageError('the name of an environment variable is wanted, not a value');
  if (!value) throw new UsageError(`the variable ${variable} is not set`);
  return value;
}

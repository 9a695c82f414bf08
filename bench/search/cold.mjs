// A whole process that asks one question of an index that is there, as the command does: `node cold.mjs ROOT CACHE PATTERN`.
// JavaScript, because to strip types would be measured too; and with the compile cache on, as in the command.
import { enableCompileCache } from 'node:module';
import process from 'node:process';

enableCompileCache();
const { openIndex } = await import('@hanzo/search');
const [root, cache, pattern] = process.argv.slice(2);
const index = await openIndex(root, { cache, watch: false, build: 'never' });
const { total, by } = await index.search({ pattern });
process.stdout.write(`${by} ${total}\n`);
// as a command that has answered: nothing is worth waiting for
process.exit(0);

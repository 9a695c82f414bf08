// A whole process that asks one question of an index that is there, as the command does: `node cold.ts ROOT CACHE PATTERN`.
import process from 'node:process';
import { openIndex } from '@hanzo/search';

const [root, cache, pattern] = process.argv.slice(2) as [string, string, string];
const index = await openIndex(root, { cache, watch: false, build: 'never' });
const { total, by } = await index.search({ pattern });
process.stdout.write(`${by} ${total}\n`);
// as a command that has answered: nothing is worth waiting for
process.exit(0);

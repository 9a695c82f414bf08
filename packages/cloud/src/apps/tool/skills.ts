// Skills: documents an organization keeps for its agents, beside those the plane brings (contract, tool plane 2.7).
import type { Offer, Provider } from '@hanzo/tool';
import { NotDispatchable, UnknownTool } from '@hanzo/tool';
import { Problem } from '../../core/problem.ts';
import { type BrandSkill, generationKey, type ToolDeps } from './deps.ts';
import { SKILL_NAME, skillOf, skillTool } from './names.ts';
import type { ToolTables } from './tables.ts';

export type SkillRow = ToolTables['tool_skills'];

const LARGEST_CONTENT = 262_144;
const LONGEST_DESCRIPTION = 1024;
const MOST_SKILLS = 500;
const PLACE = /^\/?\.agents\/skills\/([^/]+)\/SKILL\.md$/;

export interface Skills {
  list(org: string): Promise<readonly SkillRow[]>;
  put(
    org: string,
    skill: { readonly name: string; readonly description: string; readonly content: string },
    admitted: boolean,
  ): Promise<SkillRow>;
  remove(org: string, name: string): Promise<void>;
  /** Replaces all that a repository contributed; answers how many it has now and which files were refused. */
  contribute(
    org: string,
    source: string,
    files: readonly { readonly path: string; readonly content: string }[],
    admitted: boolean,
  ): Promise<{ count: number; refused: string[] }>;
}

export function createSkills({ store, clock }: Pick<ToolDeps, 'store' | 'clock'>): Skills {
  const kept = new Map<string, { readonly generation: number; readonly rows: readonly SkillRow[] }>();
  const now = (): number => Math.floor(clock.now() / 1000);

  return {
    async list(org) {
      const generation = await store.generation(generationKey(org));
      const known = kept.get(org);
      if (known?.generation === generation) return known.rows;
      const rows = await store
        .db<ToolTables>()
        .selectFrom('tool_skills')
        .selectAll()
        .where('org', '=', org)
        .orderBy('name')
        .execute();
      kept.delete(org);
      kept.set(org, { generation, rows });
      const [oldest] = kept.keys();
      // contents are kept with them
      if (kept.size > 200 && oldest !== undefined) kept.delete(oldest);
      return rows;
    },

    async put(org, { name, description, content }, admitted) {
      const wrong = fault(name, content) ?? faultOfDescription(description);
      if (wrong !== undefined) throw new Problem(400, wrong);
      return store.transaction<ToolTables, SkillRow>(async (trx) => {
        const rows = await trx
          .selectFrom('tool_skills')
          .select(['name', 'source', 'created', 'admitted'])
          .where('org', '=', org)
          .execute();
        const before = rows.find((row) => row.name === name);
        if (before !== undefined && before.source !== '') {
          throw new Problem(409, `The skill '${name}' comes from ${before.source}; change it there.`);
        }
        if (before === undefined && rows.length >= MOST_SKILLS) {
          throw new Problem(409, `An organization has ${MOST_SKILLS} skills at most.`);
        }
        const row: SkillRow = {
          org,
          name,
          description,
          content,
          source: '',
          admitted: admitted || before?.admitted === 1 ? 1 : 0,
          created: before?.created ?? now(),
          updated: now(),
        };
        await trx
          .insertInto('tool_skills')
          .values(row)
          .onConflict((conflict) => conflict.columns(['org', 'name']).doUpdateSet({ ...row }))
          .execute();
        await store.touch(trx, generationKey(org));
        return row;
      });
    },

    async remove(org, name) {
      await store.transaction<ToolTables, void>(async (trx) => {
        await trx.deleteFrom('tool_skills').where('org', '=', org).where('name', '=', name).execute();
        // what was switched on was this document, not the next one of its name
        await trx
          .deleteFrom('tool_activations')
          .where('org', '=', org)
          .where('source', '=', 'skill')
          .where('name', '=', skillTool(name))
          .execute();
        await store.touch(trx, generationKey(org));
      });
    },

    async contribute(org, source, files, admitted) {
      const refused: string[] = [];
      const wanted = new Map<string, { description: string; content: string }>();
      for (const { path, content } of files) {
        const name = PLACE.exec(path)?.[1];
        if (name === undefined || fault(name, content) !== undefined) refused.push(path);
        else wanted.set(name, { description: descriptionIn(content), content });
      }
      await store.transaction<ToolTables, void>(async (trx) => {
        const rows = await trx.selectFrom('tool_skills').selectAll().where('org', '=', org).execute();
        for (const row of rows) {
          if (row.source === source && !wanted.has(row.name)) {
            await trx.deleteFrom('tool_skills').where('org', '=', org).where('name', '=', row.name).execute();
          }
        }
        for (const [name, { description, content }] of wanted) {
          const before = rows.find((row) => row.name === name);
          if (before !== undefined && before.source !== source) {
            refused.push(`.agents/skills/${name}/SKILL.md`);
            wanted.delete(name);
            continue;
          }
          const row: SkillRow = {
            org,
            name,
            description,
            content,
            source,
            admitted: admitted || before?.admitted === 1 ? 1 : 0,
            created: before?.created ?? now(),
            updated: now(),
          };
          await trx
            .insertInto('tool_skills')
            .values(row)
            .onConflict((conflict) => conflict.columns(['org', 'name']).doUpdateSet({ ...row }))
            .execute();
        }
        await store.touch(trx, generationKey(org));
      });
      return { count: wanted.size, refused };
    },
  };
}

function fault(name: string, content: string): string | undefined {
  if (!SKILL_NAME.test(name)) {
    return "'name' must be 1 to 64 small letters, digits, dashes or underscores, and start with a letter or digit.";
  }
  if (content.trim() === '') return "'content' must not be blank.";
  if (new TextEncoder().encode(content).length > LARGEST_CONTENT) {
    return `'content' must have at most ${LARGEST_CONTENT} bytes.`;
  }
  return undefined;
}

function faultOfDescription(description: string): string | undefined {
  return [...description].length > LONGEST_DESCRIPTION
    ? `'description' must have at most ${LONGEST_DESCRIPTION} characters.`
    : undefined;
}

/** The `description:` line of a document's front matter, JSON-quoted or bare; '' where there is none. */
function descriptionIn(content: string): string {
  const lines = content.replace(/^\ufeff/, '').split(/\r?\n/, 200);
  if (lines[0]?.trim() !== '---') return '';
  for (const line of lines.slice(1)) {
    if (line.trim() === '---') break;
    const value = /^description:\s*(.*)$/.exec(line)?.[1]?.trim();
    if (value === undefined) continue;
    let text = value;
    if (value.startsWith('"')) {
      try {
        text = String(JSON.parse(value));
      } catch {
        // as it stands
      }
    }
    return [...text].slice(0, LONGEST_DESCRIPTION).join('');
  }
  return '';
}

function offerOf({ name, description }: { readonly name: string; readonly description: string }): Offer {
  return { name: skillTool(name), source: 'skill', description, dispatchable: false };
}

/** Skills as the registry lists them. */
export function skillProvider(
  list: (org: string) => Promise<readonly { name: string; description: string }[]>,
): Provider {
  return {
    source: () => 'skill',
    async list({ org }) {
      return org === '' ? [] : (await list(org)).map(offerOf);
    },
    async find({ org }, tool) {
      const name = skillOf(tool);
      if (name === undefined || org === '') return undefined;
      const found = (await list(org)).find((each) => each.name === name);
      return found && offerOf(found);
    },
    async dispatch(_principal, name) {
      if (skillOf(name) === undefined) throw new UnknownTool(name);
      throw new NotDispatchable(name);
    },
  };
}

export const brandProvider = (skills: readonly BrandSkill[]): Provider => skillProvider(async () => skills);

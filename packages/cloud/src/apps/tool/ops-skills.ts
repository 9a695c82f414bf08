// Operations on skills, the kit, and the inventory of the plane's parts (contract, tool plane 2.7 to 2.10).
import { z } from 'zod';
import { op, type Op } from '../../core/op.ts';
import { Problem } from '../../core/problem.ts';
import type { Audit } from '../../ports/audit.ts';
import { callerOf, isAdmin, scopeOf } from './caller.ts';
import type { ToolService } from './service.ts';
import { Kit, literalTrue, Skill, Tool } from './shapes.ts';
import type { SkillRow } from './skills.ts';

const app = 'tool';

export function skillOps(service: ToolService, audit: Audit): readonly Op[] {
  return [
    op({
      id: 'get_tool_skills',
      app,
      method: 'GET',
      path: '/v1/tool/skills',
      summary: 'Lists skills as tools, the plane’s own and the organization’s, without their documents.',
      auth: 'member',
      input: { query: z.object({ activated: literalTrue }) },
      answer: z.object({ source: z.literal('skill'), tools: z.array(Tool) }).meta({ id: 'tool.SourceToolList' }),
      async run(context, { query }) {
        const { tools } = await service.registry.list(scopeOf(callerOf(context)), context.signal);
        return {
          source: 'skill' as const,
          tools: tools
            .filter((tool) => tool.source === 'skill' && (query.activated !== 'true' || tool.activated))
            .map((tool) => ({ ...tool })),
        };
      },
    }),
    op({
      id: 'get_tool_skills_authored',
      app,
      method: 'GET',
      path: '/v1/tool/skills/authored',
      summary: 'Lists the organization’s own skills with their documents.',
      auth: 'member',
      input: {},
      answer: z.object({ skills: z.array(Skill) }).meta({ id: 'tool.AuthoredSkillList' }),
      async run(context) {
        return { skills: (await service.skills.list(callerOf(context).org)).map(asSkill) };
      },
    }),
    op({
      id: 'post_tool_skills',
      app,
      method: 'POST',
      path: '/v1/tool/skills',
      summary: 'Writes a skill; one of the same name is revised.',
      auth: 'admin',
      input: { body: z.object({ name: z.string(), description: z.string().default(''), content: z.string() }) },
      answer: z.object({ skill: Skill }).meta({ id: 'tool.SkillWritten' }),
      status: 201,
      refusals: { 409: 'a repository contributed the skill of that name' },
      async run(context, { body }) {
        const caller = callerOf(context);
        const row = await service.skills.put(caller.org, body, isAdmin(caller));
        await audit.append(context, {
          action: 'skill.put',
          resource: { type: 'tools', id: row.name },
          outcome: { result: 'success', status: 201 },
        });
        return { skill: asSkill(row) };
      },
    }),
    op({
      id: 'post_tool_skills_contribute',
      app,
      method: 'POST',
      path: '/v1/tool/skills/contribute',
      summary: 'Replaces everything one repository contributed with what it has now.',
      auth: 'admin',
      internal: true,
      input: {
        body: z.object({
          source: z.string().trim().min(1).max(300),
          files: z.array(z.object({ path: z.string().max(1024), content: z.string() })).max(1000),
        }),
      },
      answer: z.object({ count: z.int(), refused: z.array(z.string()) }),
      async run(context, { body }) {
        const caller = callerOf(context);
        const done = await service.skills.contribute(caller.org, body.source, body.files, isAdmin(caller));
        await audit.append(context, {
          action: 'skill.put',
          resource: { type: 'tools', id: body.source },
          outcome: { result: 'success', status: 200 },
          after: { count: done.count },
        });
        return done;
      },
    }),
    op({
      id: 'delete_tool_skills_by_id',
      app,
      method: 'DELETE',
      path: '/v1/tool/skills/{id}',
      summary: 'Removes a skill; one that is not there counts as removed.',
      auth: 'admin',
      input: { params: z.object({ id: z.string() }) },
      answer: z.object({ deleted: z.string() }).meta({ id: 'tool.SkillDeleted' }),
      async run(context, { params: { id } }) {
        if (id.trim() === '') throw new Problem(400, 'The id of a skill is its name.');
        await service.skills.remove(callerOf(context).org, id);
        await audit.append(context, {
          action: 'skill.delete',
          resource: { type: 'tools', id: id.slice(0, 128) },
          outcome: { result: 'success', status: 200 },
        });
        return { deleted: id };
      },
    }),
    op({
      id: 'get_tool_plugins',
      app,
      method: 'GET',
      path: '/v1/tool/plugins',
      summary: 'Lists the parts this plane runs. It is an inventory of mounted code, not of tools.',
      auth: 'member',
      input: {
        query: z.object({ all: z.string().optional().describe('with exactly `true` also what is not running') }),
      },
      answer: z
        .object({
          plugins: z.array(z.object({ enabled: z.boolean(), name: z.string(), prefixes: z.array(z.string()) })),
        })
        .meta({ id: 'tool.PluginMountList' }),
      async run(_context, { query }) {
        const plugins = service.mounts().filter(({ enabled }) => enabled || query.all === 'true');
        return { plugins: plugins.map((each) => ({ ...each, prefixes: [...each.prefixes] })) };
      },
    }),
    op({
      id: 'get_tool_kit',
      app,
      method: 'GET',
      path: '/v1/tool/kit',
      summary: 'Answers what the caller’s coding runs carry: skills, and servers with the tools they may call.',
      auth: 'member',
      input: {},
      answer: Kit,
      async run(context) {
        return wire(await service.kits.read(callerOf(context)));
      },
    }),
    op({
      id: 'put_tool_kit',
      app,
      method: 'PUT',
      path: '/v1/tool/kit',
      summary: 'Takes names out of the caller’s own runs, or gives them back.',
      description:
        'A skill is `skill_<name>`, a server’s tool `<server>_<tool>`, a whole server its id. It narrows only.',
      auth: 'member',
      input: {
        body: z.object({ mute: z.array(z.string()).optional(), unmute: z.array(z.string()).optional() }),
      },
      answer: Kit,
      refusals: { 400: 'a name to mute that the kit does not carry', 413: 'more than 256 names' },
      async run(context, { body }) {
        const kit = await service.kits.mute(callerOf(context), body.mute ?? [], body.unmute ?? []);
        await audit.append(context, {
          action: 'kit.mute',
          resource: { type: 'tools', id: 'kit' },
          outcome: { result: 'ok', status: 200 },
          after: { muted: kit.muted },
        });
        return wire(kit);
      },
    }),
  ];
}

function asSkill(row: SkillRow): z.input<typeof Skill> {
  return {
    id: row.name,
    org: row.org,
    name: row.name,
    description: row.description,
    content: row.content,
    createdAt: row.created,
    updatedAt: row.updated,
    source: row.source,
    admitted: row.admitted === 1,
  };
}

function wire(kit: Awaited<ReturnType<ToolService['kits']['read']>>): z.input<typeof Kit> {
  return {
    skills: kit.skills.map((each) => ({ ...each })),
    servers: kit.servers.map(({ name, tools }) => ({ name, tools: [...tools] })),
    omitted: [...kit.omitted],
    excess: [...kit.excess],
    muted: [...kit.muted],
  };
}

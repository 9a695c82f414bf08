// The bodies of the tool operations, as they are on the wire (contract, tool plane 1.2, 2.5 to 2.10).
import { z } from 'zod';

const Price = z.object({
  amount: z.string(),
  currency: z.string().optional(),
  recipient: z.string().optional(),
});

export const Tool = z
  .looseObject({
    name: z.string(),
    source: z.string().describe('connector, function, zap-service, agent, skill or mcp'),
    description: z.string(),
    inputSchema: z.looseObject({}).optional(),
    price: Price.optional().describe('absent: free by declaration'),
    dispatchable: z.boolean().describe('false for skills'),
    activated: z.boolean().describe('for the caller’s organization and project'),
  })
  .meta({ id: 'tool.Tool' });

const LeftOut = z
  .object({ source: z.string(), reason: z.string(), withheld: z.array(z.string()) })
  .meta({ id: 'tool.LeftOut' });

export const ToolList = z
  .object({
    tools: z.array(Tool),
    partial: z.array(LeftOut).optional().describe('sources that are not, or not wholly, in the list; absent: none'),
  })
  .meta({ id: 'tool.ToolList' });

export const ActivationSet = z
  .object({
    enabled: z.array(z.string()),
    held: z
      .array(z.object({ name: z.string(), reason: z.string() }))
      .optional()
      .describe('enabled, but changed since: not callable until an admin activates them again'),
  })
  .meta({ id: 'tool.ActivationSet' });

export const Server = z
  .object({
    id: z.string(),
    org: z.string(),
    name: z.string(),
    url: z.string(),
    authHeader: z.string().optional(),
    hasSecret: z.boolean(),
    listing: z.string().optional(),
    source: z.enum(['catalog', 'org']),
    createdAt: z.int(),
    admitted: z.boolean(),
    status: z.enum(['ok', 'unreachable', 'refused', 'error']).optional(),
    reason: z.string().optional(),
    tools: z.int().optional(),
  })
  .meta({ id: 'tool.Server' });

const Package = z.object({
  registry: z.string(),
  identifier: z.string(),
  version: z.string().optional(),
  runtime: z.string().optional(),
  transport: z.string(),
});

export const Listing = z
  .object({
    id: z.string(),
    name: z.string(),
    vendor: z.string(),
    title: z.string().optional(),
    description: z.string(),
    repo: z.string().optional(),
    site: z.string().optional(),
    version: z.string(),
    logo: z.string().optional(),
    transports: z.array(z.string()),
    packages: z.array(Package).optional(),
    remotes: z.array(z.object({ transport: z.string(), url: z.string() })).optional(),
    registry: z.string(),
    synced: z.int(),
    hidden: z.boolean(),
    featured: z.boolean(),
    official: z.boolean(),
  })
  .meta({ id: 'tool.Listing' });

export const Skill = z
  .object({
    id: z.string(),
    org: z.string(),
    name: z.string(),
    description: z.string(),
    content: z.string(),
    createdAt: z.int(),
    updatedAt: z.int(),
    source: z.string().describe('the repository it came from; empty: written by hand'),
    admitted: z.boolean(),
  })
  .meta({ id: 'tool.Skill' });

export const Kit = z
  .object({
    skills: z.array(z.object({ name: z.string(), content: z.string() }).meta({ id: 'tool.SkillDoc' })),
    servers: z.array(z.object({ name: z.string(), tools: z.array(z.string()) }).meta({ id: 'tool.Remote' })),
    omitted: z.array(z.string()),
    excess: z.array(z.string()),
    muted: z.array(z.string()),
  })
  .meta({ id: 'tool.Kit' });

/** A filter that only the four letters `true` switch on (contract 2.2). */
export const literalTrue = z.string().optional().describe('filters when it is exactly `true`');

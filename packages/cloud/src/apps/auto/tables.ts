// The rows of the auto app. Times are Unix seconds.
export interface AutoTables {
  auto_connectors: {
    org: string;
    name: string;
    /** the declaration as JSON, as own.ts reads it */
    definition: string;
    created: number;
    updated: number;
  };
}

/** Generation of the connectors of an organization. */
export function generationKey(org: string): string {
  return `auto:${org}`;
}

// The rows of the function app. Times are Unix seconds.
export interface FunctionTables {
  function_functions: {
    org: string;
    name: string;
    description: string;
    source: string;
    created: number;
    updated: number;
  };
}

/** Generation of the functions of an organization. */
export function generationKey(org: string): string {
  return `function:${org}`;
}

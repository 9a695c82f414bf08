// The rows of the tool app. Times are Unix seconds; truth values are 0 and 1.
export interface ToolTables {
  tool_activations: {
    org: string;
    project: string;
    name: string;
    /** of what it was switched on for; empty: of whatever has the name, because nothing had it then */
    source: string;
    /** the server an `mcp` tool belongs to, else empty */
    owner: string;
    /** the name the owner itself uses, else empty */
    raw_name: string;
    /** of the descriptor that was switched on; empty where it was not known */
    digest: string;
    who: string;
    by_admin: number;
    created: number;
  };
  tool_servers: {
    org: string;
    id: string;
    name: string;
    url: string;
    auth_header: string | null;
    has_secret: number;
    listing: string | null;
    admitted: number;
    created: number;
    /** a row stays: its id is never given to another server */
    deleted: number | null;
  };
  tool_skills: {
    org: string;
    name: string;
    description: string;
    content: string;
    /** the repository that contributed it; empty: written by hand */
    source: string;
    admitted: number;
    created: number;
    updated: number;
  };
  tool_mutes: { org: string; user_id: string; name: string };
  tool_catalog: {
    id: string;
    name: string;
    vendor: string;
    title: string;
    description: string;
    repo: string;
    site: string;
    version: string;
    logo: string;
    /** set by an operator: a sync leaves it alone */
    logo_kept: number;
    /** JSON lists */
    transports: string;
    packages: string;
    remotes: string;
    registry: string;
    digest: string;
    synced: number;
    hidden: number;
    featured: number;
    official: number;
    official_kept: number;
    /** name, title and description in small letters: what a search looks in */
    words: string;
  };
}

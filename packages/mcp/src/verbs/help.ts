// The text of `hanzo-mcp help`.

export const HELP = `hanzo-mcp: a local MCP server for coding agents

  hanzo-mcp [serve] [flags]        serve over stdio (default) or HTTP
  hanzo-mcp list-tools [--json]    what is served and what it costs in tokens
  hanzo-mcp call TOOL [ACTION] [key=value ...|JSON]
                                   one call from the shell
  hanzo-mcp search PATTERN [PATH ...]
                                   ripgrep's answers, from an index (search --help)
  hanzo-mcp verdict 'COMMAND' [--cwd DIR] [--root DIR] [--json]
                                   what exec would say of a command, and why; exit code 0 allow, 1 ask, 2 deny, 64 mistake
  hanzo-mcp install --client NAME ...|--detected|--all [flags] [-- serve flags]
  hanzo-mcp uninstall --client NAME ...|--detected|--all
                                   write, or take out, the entry in a client's configuration
  hanzo-mcp doctor [--json]        what works here, what is missing, and how to mend it
  hanzo-mcp version | help

serve
  -t, --transport stdio|http       default stdio
  -p, --port N                     HTTP port, default 3000; 0 takes a free one
      --host ADDRESS               default 127.0.0.1; anything else needs a token
      --token TOKEN                bearer token of the HTTP door (or HANZO_MCP_TOKEN); made when left out
      --no-auth                    no token; loopback only

what is served
      --tools a,b|core|standard|default|all
      --disable-tools a,b

what it may touch
      --root DIR                   a further directory that may be written; repeatable
      --access read-only|workspace-write|full
                                   default workspace-write: reads anywhere but key material, writes under the roots
      --allow-secret PATH          key material that may be read all the same; repeatable
      --allow-private              lets fetch reach private addresses
      --pass-env NAME              a credential of the server (GITHUB_TOKEN ...) that commands get all the same; repeatable
      --sandbox[=off|on|strict]    run commands in bubblewrap: they write under the roots only and read no keys;
                                   strict: without a network, or not at all. Default off, alone on
      --sandbox-domains a,b        the only domains they reach (by @anthropic-ai/sandbox-runtime)
      --project DIR                the working directory, default the current one

install, uninstall
      --client NAME                claude-code, codex, cursor ...; repeatable, or with commas
      --detected                   every client found on this machine
      --all                        every client
      --scope user|project         whose configuration, default user; project: the current folder's
      --dry-run                    say what would be done, and do nothing
      --json                       the report as JSON
                                   the flags of what is served, touched and answered go into the entry;
                                   without any, those it has stay

answers
      --max-output BYTES           most text in one answer, default 32768
      --json-only                  everything in the JSON envelope, one block an answer
      --registry FOLDER-OR-URL     component registry of ui, in the shadcn format (HANZO_UI_REGISTRY)
      --no-index                   searches read the tree each time, and no index is kept
`;

// The text of `hanzo-mcp search --help`.

export const SEARCH_HELP = `hanzo-mcp search: ripgrep's answers, from an index where there is one

  hanzo-mcp search [flags] PATTERN [PATH ...]

what is looked for
  -e, --regexp PATTERN       a pattern; repeatable, any of them matches
  -F, --fixed-strings        the pattern is text
  -i, --ignore-case          -S, --smart-case: unless the pattern holds a capital
  -w, --word-regexp          only whole words
  -U, --multiline            a match may cross lines
      --symbol               PATTERN is a name: code files, those that define it first

where
  -g, --glob GLOB            only files that match; !GLOB leaves out; repeatable
                             PDF, office files and archives are searched when a glob or a PATH names them

what is printed
  -A, -B, -C N               N lines after, before, around
  -c, --count                matching lines of each file
  -l, --files-with-matches   names only
  -q, --quiet                nothing; the exit code tells
      --json                 JSON Lines: begin, match, context, end, summary
  -n, -N                     with (default) or without line numbers
  -H, -I                     with or without file names
      --heading, --no-heading
      --color auto|always|never
      --sort rank|path       rank (default): most matching lines first

the index
      --index                make or renew it after the answer (on a terminal that is done unasked)
      --no-index             neither use nor make one

exit code: 0 something matched, 1 nothing did, 2 there was an error
`;

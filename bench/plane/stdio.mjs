// The least of an MCP server over stdio, for the bridges to stand in front of: one tool that answers what it was given.
import process from 'node:process';

const TOOL = {
  name: 'echo',
  description: 'Answers what it was given.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
};
let rest = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    if (line.trim() === '') continue;
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const result =
      method === 'initialize'
        ? {
            protocolVersion: params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 'least', version: '0' },
          }
        : method === 'tools/list'
          ? { tools: [TOOL] }
          : method === 'tools/call'
            ? { content: [{ type: 'text', text: params.arguments.text }] }
            : {};
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  }
});

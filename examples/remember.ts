// What is noted and planned before a server ends is there when the next one starts.
import { expect, session } from './session.ts';

await session({ 'README.md': '# Shop\n' }, async ({ call, restart }) => {
  await call('memory', {
    action: 'store',
    key: 'database',
    value: 'Orders live in PostgreSQL; SQLite is only for tests.',
    namespace: 'shop',
    tags: ['decision'],
  });
  await call('plan', {
    action: 'create',
    name: 'Checkout',
    goal: 'Customers can pay',
    steps: [{ description: 'Write the form' }, { description: 'Call the bank', dependencies: ['1.1'] }],
  });
  const first = await call('plan', { action: 'next', id: 'latest' });
  expect(JSON.stringify(first.data['next']).includes('"1.1"'), 'the form comes first');
  await call('plan', { action: 'update', id: '1', stepId: '1.1', status: 'completed', output: 'form.html' });

  await restart();

  const noted = await call('memory', { action: 'search', query: 'postgresql', namespace: 'shop' });
  expect(noted.text.includes('Orders live in PostgreSQL'), 'the note is found');
  const next = await call('plan', { action: 'next', id: 'latest' });
  expect(JSON.stringify(next.data['next']).includes('Call the bank'), 'the plan goes on where it was');
});

// Tools that have a price, settled from the organization's prepaid balance.
import { type Charger, type Hold, isPriced, parseAmount, PaymentRequired } from '@hanzo/tool';
import { formatAmount } from './money.ts';
import type { Ledger } from './ledger.ts';

/** What costs nothing has nothing to give back. */
export const FREE: Hold = { commit: async () => undefined, release: async () => undefined };

/**
 * The payer is the principal's organization, the price the tool's declared one, in US dollars. Rejects with PaymentRequired
 * where the balance does not cover it; what it cannot read, it refuses.
 */
export function createLedgerCharger(ledger: Ledger): Charger {
  return {
    async reserve({ principal, tool }) {
      const { price } = tool;
      if (price === undefined || !isPriced(price)) return FREE;
      const currency = price.currency || 'USD';
      if (currency !== 'USD')
        throw new Error(`${tool.name} has its price in ${currency}; only USD can be settled here`);
      const amount = parseAmount(price.amount);
      const hold = await ledger.reserve(principal.org, amount, 'charge', `tool:${tool.name}`);
      if (hold === undefined)
        throw new PaymentRequired(tool.name, {
          amount: formatAmount(amount),
          currency,
          reason: 'insufficient_balance',
        });
      return hold;
    },
  };
}

// Amounts of US dollars as whole numbers of 10^-18: exact, and written as decimals outside.
import { parseAmount } from '@hanzo/tool';

const DECIMALS = 18;

/** '12.5' of 12500000000000000000n; a minus sign for what is below zero. */
export function formatAmount(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** As `parseAmount`, with a minus sign allowed. Throws TypeError for what is no decimal amount. */
export function parseSigned(text: string): bigint {
  return text.startsWith('-') ? -parseAmount(text.slice(1)) : parseAmount(text);
}

/** The environment's names for fees, in cents (contract, tool plane 5.1 and 6.9). */
const BASE: Readonly<Record<string, string>> = { 'automations.run': 'CLOUD_AUTO_FEE_CENTS' };
const DEFAULT_BASE = 'CLOUD_TOOLS_FEE_CENTS';

/**
 * What one unit of a kind costs: `CLOUD_TOOLS_FEE_CENTS_<KIND>` before `CLOUD_TOOLS_FEE_CENTS`; unset or 0 is free. Cents may have a
 * fraction. Throws an Error that names the variable for what is no amount.
 */
export function feesFrom(env: Readonly<Record<string, string | undefined>>): (kind: string) => bigint {
  const kept = new Map<string, bigint>();
  const read = (name: string): bigint | undefined => {
    const text = env[name]?.trim() ?? '';
    if (text === '') return undefined;
    try {
      // cents have two fractional digits fewer to give
      const amount = parseAmount(text);
      if (amount % 100n !== 0n) throw new TypeError('it is finer than 10^-16 cents');
      return amount / 100n;
    } catch (error) {
      throw new Error(`${name} must be an amount in cents, as 0.5: ${(error as Error).message}`, { cause: error });
    }
  };
  const fee = (kind: string): bigint => {
    const known = kept.get(kind);
    if (known !== undefined) return known;
    const base = BASE[kind] ?? DEFAULT_BASE;
    const special = `${base}_${kind.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
    const amount = read(special) ?? read(base) ?? 0n;
    if (kept.size < 1000) kept.set(kind, amount);
    return amount;
  };
  // a wrong setting stops the start, not the first call
  fee('call');
  fee('automations.run');
  return fee;
}

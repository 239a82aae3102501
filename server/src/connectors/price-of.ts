import { isCurrency } from '../model/offer.ts'

/** A price as feeds state it, from an amount that may be a number; what cannot be read is left for the importer. */
export function priceOf(amount: unknown, currency: unknown): { amount: unknown; currency: unknown } {
  const code = typeof currency === 'string' ? currency.trim().toUpperCase() : currency
  if (typeof amount !== 'number') return { amount: typeof amount === 'string' ? amount.trim() : amount, currency: code }
  const plain = String(amount)
  const given = plain.split('.')[1]?.length ?? 0
  const usual = typeof code === 'string' && isCurrency(code) ? usualDecimals(code) : 0
  return { amount: given < usual ? amount.toFixed(usual) : plain, currency: code }
}

const decimals = new Map<string, number>()

/** How many decimals prices in a currency are written with; asking takes longer than reading the rest of an offer. */
function usualDecimals(currency: string): number {
  const known = decimals.get(currency)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const usual = format.resolvedOptions().maximumFractionDigits ?? 2
  decimals.set(currency, usual)
  return usual
}

import { isCurrency } from '../model/price.ts'

/** A price as feeds state it, from an amount that may be a number; what cannot be read is left for the importer. */
export function priceOf(amount: unknown, currency: unknown): { amount: unknown; currency: unknown } {
  const code = typeof currency === 'string' ? currency.trim().toUpperCase() : currency
  if (typeof amount !== 'number') return { amount: typeof amount === 'string' ? amount.trim() : amount, currency: code }
  const plain = String(amount)
  const decimals = plain.split('.')[1]?.length ?? 0
  const usual = typeof code === 'string' && isCurrency(code) ? usualDecimals(code) : 0
  return { amount: decimals < usual ? amount.toFixed(usual) : plain, currency: code }
}

function usualDecimals(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

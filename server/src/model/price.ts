/** What a rental or a purchase costs. Amounts stay text: money is not a floating-point number. */
export interface Price {
  readonly amount: string
  readonly currency: string
}

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Whether the code is a currency of ISO 4217. */
export function isCurrency(code: string): boolean {
  return currencies.has(code)
}

/** Whether the text is a plain decimal amount, such as `2.99` or `100`. */
export function isAmount(amount: string): boolean {
  return /^\d{1,12}(\.\d{1,4})?$/.test(amount)
}

/** The price as answers print it for people: amount, a space, the currency's code. */
export function formatPrice(price: Price): string {
  return `${price.amount} ${price.currency}`
}

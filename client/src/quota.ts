/** What the plan of the key grants, as the last answer said. */
export interface Quota {
  /** Requests that the plan grants in this period; 999999999999999 means without limit. */
  readonly granted: number
  /** Requests used in this period. */
  readonly used: number
  /** When the next period begins (Unix seconds). */
  readonly reset: number
}

/** Reads the quota from the headers of an answer, if they tell it. */
export function quotaOf(headers: Headers): Quota | undefined {
  const [granted, used, reset] = ['Granted', 'Used', 'Reset'].map((name) => {
    const text = headers.get(`X-Quota-${name}`)
    return text === null ? Number.NaN : Number(text)
  }) as [number, number, number]
  return granted >= 0 && used >= 0 && reset >= 0 ? { granted, used, reset } : undefined
}

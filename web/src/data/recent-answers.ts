/** Answers are shown again without asking for as long as the service calls them fresh. */
const FRESH_MS = 60_000
const MOST = 60

const answers = new Map<string, { readonly value: unknown; readonly at: number }>()

/** What was answered under a key a short while ago: so that the way back is instant, and the page as it was. */
export function recentAnswer<T>(key: string): T | undefined {
  const entry = answers.get(key)
  return entry !== undefined && Date.now() - entry.at < FRESH_MS ? (entry.value as T) : undefined
}

/** Keeps an answer, and lets go of the oldest. */
export function keepAnswer(key: string, value: unknown): void {
  answers.delete(key)
  answers.set(key, { value, at: Date.now() })
  if (answers.size > MOST) answers.delete(answers.keys().next().value as string)
}

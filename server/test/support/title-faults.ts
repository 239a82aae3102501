import type { Fault } from './faults.ts'

/** Faults of an API that pass. */
export const TITLE_FAULTS: Readonly<Record<string, Fault>> = {
  'status 500': { kind: 'status', status: 500 },
  'status 429': { kind: 'status', status: 429, retryAfter: '3' },
  'a truncated body': { kind: 'cut' },
  'invalid JSON': { kind: 'no-json' },
  'JSON of another shape': { kind: 'body', body: { message: 'Back soon' } },
}

/** Answers the first requests of each path with a fault. */
export function failFirst(fault: Fault, times: number, isAffected: (path: string) => boolean = () => true) {
  const seen = new Map<string, number>()
  return (path: string): Fault | undefined => {
    const count = (seen.get(path) ?? 0) + 1
    seen.set(path, count)
    return isAffected(path) && count <= times ? fault : undefined
  }
}

import type { Country, Genre } from 'marquee-client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp, useViewer } from '../app/context.ts'
import { countryQuery, genresQuery } from './queries.ts'
import type { Query, QueryState } from './query-cache.ts'

/** The state of a query, and a way to fetch again after an error. */
export type QueryResult<T> = QueryState<T> & { readonly retry: () => void }

/**
 * Fetches data and follows its state. Another key aborts the request and fetches again; without a query nothing is
 * fetched.
 */
export function useQuery<T>(query: Query<T> | undefined): QueryResult<T> {
  const { queries } = useApp()
  const key = query?.key
  const [held, setHeld] = useState<{ readonly key: string | undefined; readonly result: QueryState<T> }>()
  const [attempt, setAttempt] = useState(0)
  const retry = () => setAttempt((count) => count + 1)
  // A cached result stays for as long as it is shown, even when it is not fresh any more.
  const drawn = useRef<{ readonly key: string; readonly value: T } | undefined>(undefined)
  const cached = key === undefined ? undefined : drawn.current?.key === key ? drawn.current.value : queries.get<T>(key)
  if (key !== undefined && cached !== undefined) drawn.current = { key, value: cached }

  // The key stands for the query; another attempt fetches it again.
  useEffect(() => {
    if (query === undefined || key === undefined || cached !== undefined) return
    // A prefetched result may have arrived since the render.
    const arrived = queries.get<T>(key)
    if (arrived !== undefined) {
      setHeld({ key, result: { state: 'ready', value: arrived } })
      return
    }
    const controller = new AbortController()
    const finish = (result: QueryState<T>) => {
      if (!controller.signal.aborted) setHeld({ key, result })
    }
    finish({ state: 'loading' })
    const request = queries.takePending<T>(key) ?? query.fetch(controller.signal, queries.client)
    request.then(
      (value) => {
        queries.set(key, value)
        finish({ state: 'ready', value })
      },
      (error: unknown) => finish({ state: 'failed', error }),
    )
    return () => controller.abort()
  }, [key, attempt])

  if (held !== undefined && held.key === key && held.result.state !== 'loading') return { ...held.result, retry }
  return cached === undefined ? { state: 'loading', retry } : { state: 'ready', value: cached, retry }
}

/** The viewer's country with its services. Several components of a page need it, and share one request. */
export function useCountry(): QueryResult<Country> {
  return useSharedQuery(countryQuery(useViewer()))
}

/** All genres, with names in the viewer's language; a shared request as well. */
export function useGenres(): QueryResult<Genre[]> {
  return useSharedQuery(genresQuery(useViewer()))
}

function useSharedQuery<T>(query: Query<T>): QueryResult<T> {
  const { queries } = useApp()
  return useQuery({ key: query.key, fetch: () => queries.fetch(query) })
}

/** A result; while that of another key is loading, the one before. */
export function useLatest<T>(result: QueryState<T>): T | undefined {
  const last = useRef<T>(undefined)
  if (result.state === 'ready') last.current = result.value
  return result.state === 'failed' ? undefined : last.current
}

/** Long enough that a quick typist sends one request a word, short enough not to be noticed. */
const DEBOUNCE_MS = 90

/** A text once it has not changed for a moment. An empty one counts at once. */
export function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return text === '' ? '' : debounced
}

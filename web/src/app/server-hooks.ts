/*
 * The hooks of Preact for the server, where they take the place of `preact/hooks` (see `vite.render.config.ts`). A component
 * is rendered once there, and nothing changes meanwhile: state is its first value, and effects never run. What Preact keeps
 * for later renders was half of what a page allocates, and outlived the page by many collections.
 */

/** A page that is being rendered. */
interface Render {
  /** The value of the only context. */
  readonly context: unknown
  /** How many ids it has given. */
  ids: number
}

/** Those under way: one at most, since rendering takes one turn, and none between two turns. */
const renders: Render[] = []

/** Renders a page whose components get a value as their context. */
export function renderInContext<T>(context: unknown, render: () => T): T {
  renders.push({ context, ids: 0 })
  try {
    return render()
  } finally {
    renders.pop()
  }
}

export function useContext(): unknown {
  return renders.at(-1)?.context
}

export function useState<T>(initial: T | (() => T)): [T, () => void] {
  return [typeof initial === 'function' ? (initial as () => T)() : initial, ignore]
}

export function useRef<T>(initial: T): { current: T } {
  return { current: initial }
}

export function useMemo<T>(create: () => T): T {
  return create()
}

export function useCallback<T>(callback: T): T {
  return callback
}

/** The ids that Preact gives in the browser, which hydrates the page: they count the calls. */
export function useId(): string {
  const render = renders.at(-1) as Render
  return `P0-${render.ids++}`
}

export function useEffect(): void {}

export function useLayoutEffect(): void {}

function ignore(): void {}

/*
 * The hooks of Preact for the server, where they take the place of `preact/hooks` (see `vite.render.config.ts`). A component
 * is rendered once there, and nothing changes meanwhile: state is its first value, and effects never run. What Preact keeps
 * for later renders was half of what a page allocates, and outlived the page by many collections.
 */

/** The value of the only context, while a page is rendered: that takes one turn. */
let context: unknown

/** The number of ids on the page. */
let ids = 0

/** Renders a page whose components get a value as their context. */
export function renderInContext<T>(value: unknown, render: () => T): T {
  const outer = { context, ids }
  context = value
  ids = 0
  try {
    return render()
  } finally {
    context = outer.context
    ids = outer.ids
  }
}

export function useContext(): unknown {
  return context
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
  return `P0-${ids++}`
}

export function useEffect(): void {}

export function useLayoutEffect(): void {}

function ignore(): void {}

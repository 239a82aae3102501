import { useRef, useState } from 'preact/hooks'

/** The state of something that the reader set going. */
export interface Submit {
  readonly isBusy: boolean
  readonly error: unknown
  /** Does it, unless it is under way already. Gives whether it worked. */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean>
}

/** Follows what happens to a form after it was sent. */
export function useSubmit(): Submit {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly error?: unknown }>({ isBusy: false })
  // Who presses twice at once does so before anything is drawn anew.
  const isUnderWay = useRef(false)
  return {
    isBusy: state.isBusy,
    error: state.error,
    async run(act) {
      if (isUnderWay.current) return false
      isUnderWay.current = true
      setState({ isBusy: true })
      try {
        await act()
        setState({ isBusy: false })
        return true
      } catch (error) {
        setState({ isBusy: false, error })
        return false
      } finally {
        isUnderWay.current = false
      }
    },
  }
}

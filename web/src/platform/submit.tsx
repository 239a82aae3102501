import { ConnectionError } from 'marquee-client'
import { useRef, useState } from 'preact/hooks'
import { useMessages } from '../app/context.ts'
import { Notice } from '../components/feedback.tsx'
import { layoutMessages, platformMessages } from '../messages/tables.ts'
import { problemCode } from './platform-request.ts'

/** The state of a form submission. */
interface Submit {
  readonly isBusy: boolean
  readonly error: unknown
  /** Runs the action, unless one is running. Returns whether it succeeded. */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean>
}

/** Tracks the submission of a form. */
export function useSubmit(): Submit {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly error?: unknown }>({ isBusy: false })
  // A double click comes before the next render, so the state alone is too late.
  const isRunning = useRef(false)
  return {
    isBusy: state.isBusy,
    error: state.error,
    async run(act) {
      if (isRunning.current) return false
      isRunning.current = true
      setState({ isBusy: true })
      try {
        await act()
        setState({ isBusy: false })
        return true
      } catch (error) {
        setState({ isBusy: false, error })
        return false
      } finally {
        isRunning.current = false
      }
    },
  }
}

/** Shows the error of an action, if there is one. */
export function ErrorNotice({ error }: { error: unknown }) {
  const message = useErrorMessage(error)
  if (error === undefined) return null
  return (
    <Notice kind="bad" isUrgent={true}>
      <p>{message}</p>
    </Notice>
  )
}

/** The text of an error, in the language of the page if the platform's code is known. */
export function useErrorMessage(error: unknown): string {
  const { problems, offline } = useMessages(platformMessages)
  const { failure } = useMessages(layoutMessages)
  if (error instanceof ConnectionError) return navigator.onLine ? failure.unreachable.title : offline
  const problem = problemCode(error)
  if (problem !== undefined && Object.hasOwn(problems, problem)) return problems[problem as keyof typeof problems]
  return error instanceof Error && problem !== undefined ? error.message : failure.other.title
}

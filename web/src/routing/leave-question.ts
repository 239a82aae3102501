import { useEffect } from 'preact/hooks'

let question: string | undefined

/** Whether the reader may leave the page, or says so when asked. */
export function mayLeave(): boolean {
  if (question === undefined || !window.confirm(question)) return question === undefined
  question = undefined
  return true
}

/**
 * Asks the reader before the page is left, for as long as there is something to ask: by a link, by the browser's back and
 * forward, or by closing the tab, where the browser has words of its own. Gives a way to leave without being asked.
 */
export function useLeaveQuestion(text: string | undefined): () => void {
  useEffect(() => {
    if (text === undefined) return
    question = text
    const onUnload = (event: BeforeUnloadEvent) => {
      if (question !== undefined) event.preventDefault()
    }
    window.addEventListener('beforeunload', onUnload)
    return () => {
      question = undefined
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [text])
  return () => {
    question = undefined
  }
}

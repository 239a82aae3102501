import { useEffect, useState } from 'preact/hooks'

/** Long enough that a quick typist sends one request a word, short enough not to be felt. */
const PAUSE_MS = 90

/** A text once it has rested for a moment. An empty one counts at once. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return text === '' ? '' : settled
}

import { useEffect, useState } from 'preact/hooks'
import { Button } from './button.tsx'

interface CopyButtonProps {
  readonly text: string
  readonly label: string
  /** Said for a moment once it is done. */
  readonly doneLabel: string
  /** Said for a moment where the browser does not allow it. */
  readonly failedLabel: string
  readonly kind?: 'main' | 'plain'
  readonly onDone?: () => void
}

/** Puts a text into the clipboard. */
export function CopyButton({ text, label, doneLabel, failedLabel, kind = 'plain', onDone }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'done' | 'failed'>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), outcome === 'done' ? 2500 : 8000)
    return () => clearTimeout(timer)
  }, [outcome])
  const press = async () => {
    const isDone = await copy(text).catch(() => false)
    setOutcome(isDone ? 'done' : 'failed')
    if (isDone) onDone?.()
  }
  return (
    <Button kind={kind} onClick={press}>
      <span aria-live="polite">{outcome === undefined ? label : outcome === 'done' ? doneLabel : failedLabel}</span>
    </Button>
  )
}

/** The clipboard of the browser exists on safe origins only; elsewhere an old way still works. */
async function copy(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text)
    return true
  }
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const isDone = document.execCommand('copy')
  area.remove()
  return isDone
}

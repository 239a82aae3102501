import { useEffect, useState } from 'preact/hooks'
import { Button } from './button.tsx'

interface CopyButtonProps {
  readonly text: string
  readonly label: string
  /** Said for a moment once it is done. */
  readonly doneLabel: string
}

/** Puts a text into the clipboard. */
export function CopyButton({ text, label, doneLabel }: CopyButtonProps) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => setDone(false), 2500)
    return () => clearTimeout(timer)
  }, [isDone])
  return (
    <Button onClick={() => copy(text).then(() => setDone(true))}>
      <span aria-live="polite">{isDone ? doneLabel : label}</span>
    </Button>
  )
}

/** The clipboard of the browser exists on safe origins only; elsewhere an old way still works. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

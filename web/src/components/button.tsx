import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import './button.css'

type ButtonProps = ButtonHTMLAttributes & {
  /** `main` for the one thing to do here, `danger` for what cannot be undone; else `plain`. */
  readonly kind?: 'main' | 'plain' | 'danger' | 'quiet'
  /** Whether pressing it does nothing for the moment. Unlike one that is disabled, it keeps the keyboard's place. */
  readonly isOff?: boolean
  readonly children: ComponentChildren
}

/** A button. It submits nothing unless its `type` says so. */
export function Button({ kind = 'plain', isOff = false, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={`button button-${kind}`}
      aria-disabled={isOff ? true : undefined}
      // Enter in a field of the form presses its button too.
      onClick={isOff ? (event) => event.preventDefault() : onClick}
    >
      {children}
    </button>
  )
}

type ButtonLinkProps = AnchorHTMLAttributes & {
  readonly kind?: 'main' | 'plain' | 'quiet'
  readonly children: ComponentChildren
}

/** A link that looks like a button. */
export function ButtonLink({ kind = 'plain', children, ...rest }: ButtonLinkProps) {
  return (
    <a {...rest} class={`button button-${kind}`}>
      {children}
    </a>
  )
}

interface CopyButtonProps {
  readonly text: string
  readonly label: string
  /** FieldMessage for a moment once it is done. */
  readonly doneLabel: string
  /** FieldMessage for a moment where the browser does not allow it. */
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

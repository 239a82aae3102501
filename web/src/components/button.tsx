import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import './button.css'

type ButtonProps = ButtonHTMLAttributes & {
  /** `main` for the primary action, `danger` for what cannot be undone. */
  readonly kind?: 'main' | 'plain' | 'danger' | 'quiet'
  /** Ignores clicks, like a disabled button, but keeps the focus. */
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
      // Enter in a form field clicks its button too.
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
  /** Shown for a moment after success. */
  readonly doneLabel: string
  /** Shown for a moment if the browser does not allow it. */
  readonly failedLabel: string
  readonly kind?: 'main' | 'plain'
  readonly onDone?: () => void
}

/** Copies a text to the clipboard. */
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

/** The clipboard API needs a secure context; elsewhere `execCommand` still works. */
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

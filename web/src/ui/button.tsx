import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ComponentChildren } from 'preact'
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

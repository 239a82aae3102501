import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ComponentChildren } from 'preact'
import './button.css'

type ButtonProps = ButtonHTMLAttributes & {
  /** `main` for the one thing to do here, `danger` for what cannot be undone; else `plain`. */
  readonly kind?: 'main' | 'plain' | 'danger' | 'quiet'
  readonly children: ComponentChildren
}

/** A button. It submits nothing unless its `type` says so. */
export function Button({ kind = 'plain', children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} class={`button button-${kind}`}>
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

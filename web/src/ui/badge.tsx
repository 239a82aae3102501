import type { ComponentChildren } from 'preact'
import './badge.css'

interface BadgeProps {
  readonly kind?: 'plain' | 'good' | 'warn' | 'bad' | 'accent'
  readonly children: ComponentChildren
}

/** A word or two on something, in a small frame. */
export function Badge({ kind = 'plain', children }: BadgeProps) {
  return <span class={`badge badge-${kind}`}>{children}</span>
}

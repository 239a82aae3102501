import type { ComponentChildren } from 'preact'
import './notice.css'

interface NoticeProps {
  readonly kind?: 'plain' | 'good' | 'warn' | 'bad'
  readonly title?: string
  readonly children?: ComponentChildren
  /** Whether screen readers should be told at once. */
  readonly isUrgent?: boolean
}

/** Something that the reader should know, set apart from the rest. */
export function Notice({ kind = 'plain', title, children, isUrgent = false }: NoticeProps) {
  return (
    <div class={`notice notice-${kind}`} role={isUrgent ? 'alert' : undefined}>
      {title !== undefined && <p class="notice-title">{title}</p>}
      {children}
    </div>
  )
}

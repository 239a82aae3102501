import type { ComponentChildren } from 'preact'
import './feedback.css'

interface BadgeProps {
  readonly kind?: 'plain' | 'good' | 'warn' | 'bad' | 'accent'
  readonly children: ComponentChildren
}

/** A word or two on something, in a small frame. */
export function Badge({ kind = 'plain', children }: BadgeProps) {
  return <span class={`badge badge-${kind}`}>{children}</span>
}

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

interface SkeletonProps {
  readonly width?: string
  readonly height?: string
}

/** Holds the place of something that is on its way. Screen readers are told by the part that loads. */
export function Skeleton({ width = '100%', height = '1em' }: SkeletonProps) {
  // The policy of the pages allows no styles in HTML, but a drawing may say how large it is.
  return <svg class="skeleton" aria-hidden="true" width={width} height={height} />
}

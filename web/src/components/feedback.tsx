import type { ComponentChildren } from 'preact'
import './feedback.css'

interface BadgeProps {
  readonly kind?: 'plain' | 'good' | 'warn' | 'bad' | 'accent'
  readonly children: ComponentChildren
}

/** A short label in a frame. */
export function Badge({ kind = 'plain', children }: BadgeProps) {
  return <span class={`badge badge-${kind}`}>{children}</span>
}

interface NoticeProps {
  readonly kind?: 'plain' | 'good' | 'warn' | 'bad'
  readonly title?: string
  readonly children?: ComponentChildren
  /** Whether screen readers announce it at once. */
  readonly isUrgent?: boolean
}

/** A message box. */
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

/** A placeholder for content that is loading. Its parent announces the loading to screen readers. */
export function Skeleton({ width = '100%', height = '1em' }: SkeletonProps) {
  // The content security policy allows no inline styles, but an SVG may have a size.
  return <svg class="skeleton" aria-hidden="true" width={width} height={height} />
}

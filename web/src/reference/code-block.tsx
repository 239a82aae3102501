import type { ComponentChildren } from 'preact'
import { platformMessages } from '../platform/messages.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import './code-block.css'

interface CodeBlockProps {
  readonly label: string
  /** What is copied. */
  readonly text: string
  /** Whether it may be longer than the screen. */
  readonly isLong?: boolean
  /** What is shown, where that is more than the plain text. */
  readonly children?: ComponentChildren
}

/** Something to read closely or to paste elsewhere. */
export function CodeBlock({ label, text, isLong = false, children = text }: CodeBlockProps) {
  const t = platformMessages.current
  return (
    <div class={`code-block ${isLong ? 'code-block-long' : ''}`}>
      <div class="code-block-head">
        <span>{label}</span>
        <CopyButton text={text} label={t.copy} doneLabel={t.copied} failedLabel={t.copyFailed} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <section class="code-block-text" tabIndex={0} aria-label={label}>
        <pre translate={false}>{children}</pre>
      </section>
    </div>
  )
}

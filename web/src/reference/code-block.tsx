import type { ComponentChildren } from 'preact'
import { useMessages } from '../app/context.ts'
import { CopyButton } from '../components/button.tsx'
import { platformMessages } from '../messages/tables.ts'
import './code-block.css'

interface CodeBlockProps {
  readonly label: string
  /** The text to copy. */
  readonly text: string
  /** Whether it scrolls. */
  readonly isLong?: boolean
  /** The highlighted text, if it differs from the plain one. */
  readonly children?: ComponentChildren
}

/** A code block with a copy button. */
export function CodeBlock({ label, text, isLong = false, children = text }: CodeBlockProps) {
  const t = useMessages(platformMessages)
  return (
    <div class={`code-block ${isLong ? 'code-block-long' : ''}`}>
      <div class="code-block-head">
        <span>{label}</span>
        <CopyButton text={text} label={t.copy} doneLabel={t.copied} failedLabel={t.copyFailed} />
      </div>
      {/* Not a landmark: a page has many, and some of the same name. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: it groups no fields */}
      <div class="code-block-text" role="group" tabIndex={0} aria-label={label}>
        <pre translate={false}>{children}</pre>
      </div>
    </div>
  )
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** JSON with syntax highlighting. It creates elements, never markup, so texts of feeds stay text. */
export function JsonText({ text }: { text: string }) {
  const parts = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [whole, quoted, colon] = match
    if (match.index > end) parts.push(text.slice(end, match.index))
    const kind = quoted === undefined ? 'json-other' : colon === undefined ? 'json-text' : 'json-key'
    parts.push(
      <span key={match.index} class={kind}>
        {quoted ?? whole}
      </span>,
    )
    if (colon !== undefined) parts.push(colon)
    end = match.index + whole.length
  }
  parts.push(text.slice(end))
  return <code>{parts}</code>
}

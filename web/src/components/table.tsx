import type { ComponentChildren } from 'preact'
import './table.css'

interface TableProps {
  /** The caption for screen readers; visible with `isCaptionSeen`. */
  readonly caption: string
  readonly isCaptionSeen?: boolean
  /** Whether each row is a record: on a phone its cells are listed below each other, each after its `data-label`. */
  readonly isRecords?: boolean
  readonly head: readonly ComponentChildren[]
  readonly children: ComponentChildren
}

/** A table that scrolls sideways if it is too wide. Its children are `<tr>` elements. */
export function Table({ caption, isCaptionSeen = false, isRecords = false, head, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section class={isRecords ? 'table table-records' : 'table'} aria-label={caption} tabIndex={0}>
      <table>
        <caption class={isCaptionSeen ? undefined : 'unseen'}>{caption}</caption>
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={column} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { TextField } from './field.tsx'
import './row-filter.css'

interface RowFilterProps<Row> {
  readonly rows: readonly Row[]
  /** The texts of a row that are searched. */
  readonly textsOf: (row: Row) => readonly (string | number | undefined)[]
  readonly label: string
  /** Says how many rows were found. */
  readonly count?: (found: number) => string
  readonly children: (found: readonly Row[]) => ComponentChildren
}

/** A search field above the rows of a table. It finds those that contain each of its words. One row needs no field. */
export function RowFilter<Row>({ rows, textsOf, label, count, children }: RowFilterProps<Row>) {
  const [search, setSearch] = useState('')
  const words = search.toLowerCase().split(/\s+/)
  const found = rows.filter((row) => {
    const text = textsOf(row).join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return (
    <>
      {rows.length > 1 && (
        <div class="row-filter">
          <TextField
            label={label}
            type="search"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
            hint={count?.(found.length)}
          />
        </div>
      )}
      {children(found)}
    </>
  )
}

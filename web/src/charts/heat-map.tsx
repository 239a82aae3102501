import { useFormats } from '../app/context.ts'
import { Table } from '../components/table.tsx'
import './heat-map.css'

interface HeatMapProps {
  readonly caption: string
  /** The head of the first column. */
  readonly corner: string
  readonly columns: readonly { readonly id: string; readonly name: string }[]
  readonly rows: readonly { readonly id: string; readonly name: string }[]
  /** The value of a cell; undefined leaves it empty. */
  readonly amount: (row: string, column: string) => number | undefined
}

/** A table of numbers with cells tinted by value. */
export function HeatMap({ caption, corner, columns, rows, amount }: HeatMapProps) {
  const format = useFormats()
  const amounts = rows.flatMap((row) => columns.map((column) => amount(row.id, column.id) ?? 0))
  const max = Math.max(1, ...amounts)
  return (
    <div class="heat-map">
      <Table caption={caption} head={[corner, ...columns.map(({ name }) => name)]}>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row">{row.name}</th>
            {columns.map((column) => {
              const cell = amount(row.id, column.id)
              if (cell === undefined) return <td key={column.id} class="heat-none" />
              return (
                // A square-root scale keeps small values visible beside large ones.
                <td key={column.id} style={{ '--heat': `${Math.round(Math.sqrt(cell / max) * 46)}%` }}>
                  {format.number(cell)}
                </td>
              )
            })}
          </tr>
        ))}
      </Table>
    </div>
  )
}

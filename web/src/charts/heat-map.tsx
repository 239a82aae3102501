import { useFormats } from '../app/context.ts'
import { Table } from '../components/table.tsx'
import './heat-map.css'

interface HeatMapProps {
  readonly caption: string
  /** What the rows are. */
  readonly corner: string
  readonly columns: readonly { readonly id: string; readonly name: string }[]
  readonly rows: readonly { readonly id: string; readonly name: string }[]
  /** The amount of a cell; undefined where row and column do not go together. */
  readonly amount: (row: string, column: string) => number | undefined
}

/** Amounts in a table whose cells are tinted by how much they hold. The figures stand in them all the same. */
export function HeatMap({ caption, corner, columns, rows, amount }: HeatMapProps) {
  const format = useFormats()
  const amounts = rows.flatMap((row) => columns.map((column) => amount(row.id, column.id) ?? 0))
  const greatest = Math.max(1, ...amounts)
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
                // Square roots keep small catalogs apart, which would all look empty beside a large one.
                <td key={column.id} style={{ '--heat': `${Math.round(Math.sqrt(cell / greatest) * 46)}%` }}>
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

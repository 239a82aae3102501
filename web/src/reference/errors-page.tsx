import errors from '../../../spec/errors.json'
import { useHref, useMessages } from '../app/context.ts'
import { Table } from '../components/table.tsx'
import { referenceMessages } from '../messages/tables.ts'
import { ReferenceLayout } from './reference-layout.tsx'
import { Prose } from './schema-view.tsx'
import './reference.css'

/** Every error code, each with an address of its own: the `type` of problem details leads here. */
export default function ErrorsPage() {
  const hrefTo = useHref()
  const { errors: title, errorsPage: t, guideNames } = useMessages(referenceMessages)
  return (
    <ReferenceLayout title={title} lead={t.lead}>
      <ErrorTable title={t.api} isPublic={true} />
      <ErrorTable title={t.platform} isPublic={false} />
      <p class="soft">
        {t.more} <a href={hrefTo('/docs/guides/errors')}>{guideNames['/docs/guides/errors']}</a>
      </p>
    </ReferenceLayout>
  )
}

function ErrorTable({ title, isPublic }: { title: string; isPublic: boolean }) {
  const t = useMessages(referenceMessages)
  const rows = errors.filter((error) => error.isPublic === isPublic)
  return (
    <section class="stack">
      <h2>{title}</h2>
      <Table caption={title} isRecords={true} head={[t.errors, t.status, t.meaning, t.errorsPage.remedy]}>
        {rows.map(({ code, status, meaning, remedy }) => (
          <tr key={code} id={code} class="error-row">
            <th scope="row">
              <a href={`#${code}`}>
                <code>{code}</code>
              </a>
            </th>
            <td data-label={t.status}>{status}</td>
            <td data-label={t.meaning}>
              <Prose text={meaning} />
            </td>
            <td data-label={t.errorsPage.remedy}>
              <Prose text={remedy} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

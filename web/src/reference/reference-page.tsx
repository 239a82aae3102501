import { useHref, useMessages } from '../app/context.ts'
import { Skeleton } from '../components/feedback.tsx'
import { Table } from '../components/table.tsx'
import { Failure } from '../layout/failure.tsx'
import { referenceMessages } from '../messages/tables.ts'
import { listOperations, type OpenApi, useOpenApi } from './openapi.ts'
import { ReferenceLayout } from './reference-layout.tsx'
import { ErrorCodes, Prose } from './schema-view.tsx'
import './reference.css'

/** The overview of the reference: endpoints, base URLs, keys and errors. */
export default function ReferencePage() {
  const t = useMessages(referenceMessages)
  const result = useOpenApi()
  return (
    <ReferenceLayout title={t.title} lead={t.lead}>
      {result.state === 'loading' && <Skeleton height="30rem" />}
      {result.state === 'failed' && <Failure error={result.error} retry={result.retry} isForDevelopers={true} />}
      {result.state === 'ready' && <Overview api={result.value} />}
    </ReferenceLayout>
  )
}

function Overview({ api }: { api: OpenApi }) {
  const hrefTo = useHref()
  const t = useMessages(referenceMessages)
  const operations = listOperations(api)
  return (
    <>
      {api.tags.map(({ name, description }) => (
        <section key={name} class="stack">
          <h2 lang="en">{name}</h2>
          <p class="soft">
            <Prose text={description} />
          </p>
          <ul class="operation-list">
            {operations
              .filter(({ operation }) => operation.tags.includes(name))
              .map(({ path, operation }) => (
                <li key={path}>
                  <a href={hrefTo(`/docs/api/${operation.operationId}`)}>
                    <strong lang="en">{operation.summary}</strong>
                    <code>GET {path}</code>
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
      <section class="stack">
        <h2>{t.bases}</h2>
        <p>
          <Prose text={api.info.description} />
        </p>
        <Table caption={t.bases} head={[t.base, t.baseFor]}>
          {api.servers.map(({ url, description }) => (
            <tr key={url}>
              <th scope="row">
                <code>{new URL(url, window.location.origin).href.replace(/\/$/, '')}</code>
              </th>
              <td>
                <Prose text={description} />
              </td>
            </tr>
          ))}
        </Table>
        <p>
          {t.description} <a href="/openapi.json">OpenAPI (JSON)</a>
        </p>
      </section>
      <Errors api={api} />
    </>
  )
}

/** The errors of all endpoints, by status. */
function Errors({ api }: { api: OpenApi }) {
  const hrefTo = useHref()
  const t = useMessages(referenceMessages)
  return (
    <section class="stack">
      <h2>{t.errors}</h2>
      <p>
        {t.errorsLead} <a href={hrefTo('/docs/errors')}>{t.errorsPage.all}</a>
      </p>
      <Table caption={t.errors} head={[t.status, t.meaning]}>
        {Object.entries(api.components.responses).map(([name, { description }]) => (
          <tr key={name}>
            <th scope="row">{name.replace(/\D/g, '')}</th>
            <td>
              <ErrorCodes text={description} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

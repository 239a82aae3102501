import { useEffect } from 'preact/hooks'
import { type PageProps, useMessages } from '../app/context.ts'
import { Skeleton } from '../components/feedback.tsx'
import { useQuery } from '../data/use-query.ts'
import { Failure } from '../layout/failure.tsx'
import { NotFoundPage } from '../layout/not-found.tsx'
import { referenceMessages } from '../messages/tables.ts'
import { CodeBlock, JsonText } from './code-block.tsx'
import { listOperations, type OpenApi, type Operation, resolveResponse, useOpenApi } from './openapi.ts'
import { ReferenceLayout } from './reference-layout.tsx'
import { ErrorCodes, ParameterList, Prose, SchemaView } from './schema-view.tsx'
import { TryIt } from './try-it.tsx'
import './reference.css'

/** An endpoint: parameters, response, errors, and a form to try it. */
export default function OperationPage({ rest }: PageProps) {
  const referenceText = useMessages(referenceMessages)
  const result = useOpenApi()
  if (result.state !== 'ready') {
    return (
      <ReferenceLayout title={referenceText.title}>
        {result.state === 'loading' ? (
          <Skeleton height="30rem" />
        ) : (
          <Failure error={result.error} retry={result.retry} isForDevelopers={true} />
        )}
      </ReferenceLayout>
    )
  }
  const found = listOperations(result.value).find(({ operation }) => operation.operationId === rest)
  if (found === undefined) return <NotFoundPage />
  const { path, operation } = found
  // A stream has no end that a trial could wait for.
  const isStream = operation.responses[200]?.content?.['text/event-stream'] !== undefined
  return (
    <ReferenceLayout title={operation.summary} lead={<code class="operation-path">GET {path}</code>}>
      <p>
        <Prose text={operation.description} />
      </p>
      <div class="operation">
        <OperationText api={result.value} operation={operation} />
        <div class="operation-side stack">
          <TryIt key={operation.operationId} path={path} operation={operation} canSend={!isStream} />
          <RecordedAnswer operationId={operation.operationId} />
        </div>
      </div>
    </ReferenceLayout>
  )
}

/** An answer that was recorded from the demo: readable without a key. */
function RecordedAnswer({ operationId }: { operationId: string }) {
  const t = useMessages(referenceMessages)
  const examples = useQuery<Examples>({
    key: 'recorded examples',
    fetch: async () => (await import('../../../spec/examples.json')).default,
  })
  const example = examples.state === 'ready' ? examples.value[operationId] : undefined
  if (example === undefined) return null
  const text = example.text ?? JSON.stringify(example.json, null, 2)
  return (
    <section class="stack" aria-label={t.recorded}>
      <h2>{t.recorded}</h2>
      <p class="soft">{t.recordedLead}</p>
      <CodeBlock label={`GET ${example.request}`} text={text} isLong={true}>
        <JsonText text={text} />
      </CodeBlock>
    </section>
  )
}

/** `spec/examples.json`: the request and its answer, by operation. */
type Examples = Readonly<
  Record<string, { readonly request: string; readonly json?: unknown; readonly text?: string } | undefined>
>

function OperationText({ api, operation }: { api: OpenApi; operation: Operation }) {
  const t = useMessages(referenceMessages)
  const { parameters = [], responses } = operation
  const schema = Object.values(responses['200']?.content ?? {})[0]?.schema
  // The browser looks for the anchor of the URL before this is rendered.
  useEffect(() => {
    const { hash } = window.location
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [operation])
  return (
    <div class="stack operation-text">
      <h2>{t.parameters}</h2>
      {parameters.length === 0 ? <p class="soft">{t.noParameters}</p> : <ParameterList parameters={parameters} />}
      <h2>{t.response}</h2>
      <p>
        <Prose text={responses['200']?.description} />
      </p>
      {schema !== undefined && <SchemaView schema={schema} api={api} />}
      <h2>{t.errors}</h2>
      <dl class="parameter-list">
        {Object.entries(responses)
          .filter(([status]) => status !== '200')
          .map(([status, response]) => (
            <div key={status}>
              <dt>
                <code>{status}</code>
              </dt>
              <dd>
                <ErrorCodes text={resolveResponse(response, api).description} />
              </dd>
            </div>
          ))}
      </dl>
    </div>
  )
}

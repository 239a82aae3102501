import { Skeleton } from '../components/feedback.tsx'
import { Failure } from '../layout/failure.tsx'
import { MissingPage } from '../layout/not-found.tsx'
import { referenceMessages } from '../messages/tables.ts'
import type { PageProps } from '../pages.ts'
import { DeveloperFrame } from '../platform/developer-layout.tsx'
import { type OpenApi, type Operation, operationsOf, resolvedResponse, useOpenApi } from './openapi.ts'
import { ErrorCodes, ParameterList, Prose, SchemaView } from './schema-view.tsx'
import { TryIt } from './try-it.tsx'
import './reference.css'

/** One endpoint: what it takes, what it answers, and a form to try it. */
export default function OperationPage({ rest }: PageProps) {
  const answer = useOpenApi()
  if (answer.state !== 'ready') {
    return (
      <DeveloperFrame title={referenceMessages.current.title}>
        {answer.state === 'loading' ? (
          <Skeleton height="30rem" />
        ) : (
          <Failure error={answer.error} retry={answer.retry} isForDevelopers={true} />
        )}
      </DeveloperFrame>
    )
  }
  const found = operationsOf(answer.value).find(({ operation }) => operation.operationId === rest)
  if (found === undefined) return <MissingPage />
  const { path, operation } = found
  return (
    <DeveloperFrame title={operation.summary} lead={<code class="operation-path">GET {path}</code>}>
      <p>
        <Prose text={operation.description} />
      </p>
      <div class="operation">
        <OperationText api={answer.value} operation={operation} />
        <TryIt key={operation.operationId} path={path} operation={operation} />
      </div>
    </DeveloperFrame>
  )
}

function OperationText({ api, operation }: { api: OpenApi; operation: Operation }) {
  const t = referenceMessages.current
  const { parameters = [], responses } = operation
  const schema = Object.values(responses['200']?.content ?? {})[0]?.schema
  return (
    <div class="stack operation-text">
      <h2>{t.parameters}</h2>
      {parameters.length === 0 ? <p class="soft">{t.noParameters}</p> : <ParameterList parameters={parameters} />}
      <h2>{t.answer}</h2>
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
                <ErrorCodes text={resolvedResponse(response, api).description} />
              </dd>
            </div>
          ))}
      </dl>
    </div>
  )
}

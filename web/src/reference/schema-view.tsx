import { useMessages } from '../app/context.ts'
import { Badge } from '../components/feedback.tsx'
import { referenceMessages } from '../messages/tables.ts'
import { type OpenApi, type Parameter, resolveSchema, type Schema } from './openapi.ts'

interface SchemaViewProps {
  readonly schema: Schema
  readonly api: OpenApi
}

/** The schema of a response. Nested objects are collapsed. */
export function SchemaView({ schema, api }: SchemaViewProps) {
  const { orElse } = useMessages(referenceMessages)
  const inner = elementSchema(schema, api)
  if (inner.oneOf !== undefined) {
    return (
      <>
        {inner.oneOf.map((one, place) => (
          <div key={place}>
            {place > 0 && <p class="soft">{orElse}</p>}
            <SchemaView schema={one} api={api} />
          </div>
        ))}
      </>
    )
  }
  const required = new Set(inner.required)
  return (
    <ul class="schema-list" lang="en">
      {Object.entries(inner.properties ?? {}).map(([name, property]) => (
        <li key={name}>
          <Property name={name} schema={property} isRequired={required.has(name)} api={api} />
        </li>
      ))}
    </ul>
  )
}

interface PropertyProps extends SchemaViewProps {
  readonly name: string
  readonly isRequired: boolean
}

function Property({ name, schema, isRequired, api }: PropertyProps) {
  const { optional } = useMessages(referenceMessages)
  const inner = elementSchema(schema, api)
  const head = (
    <>
      <code>{name}</code> <span class="schema-type">{typeText(schema, api)}</span>
      {!isRequired && <span class="schema-type"> · {optional}</span>}
    </>
  )
  const text = schema.description ?? resolveSchema(schema, api).schema.description
  const words = (
    <p>
      <Prose text={text} />
    </p>
  )
  if (inner.properties === undefined && inner.oneOf === undefined) {
    return (
      <>
        {head}
        {words}
      </>
    )
  }
  return (
    <details>
      <summary>{head}</summary>
      {words}
      <SchemaView schema={inner} api={api} />
    </details>
  )
}

/** The innermost schema of lists and maps. */
function elementSchema(schema: Schema, api: OpenApi): Schema {
  const { schema: own } = resolveSchema(schema, api)
  if (own.items !== undefined) return elementSchema(own.items, api)
  if (typeof own.additionalProperties === 'object' && own.properties === undefined) {
    return elementSchema(own.additionalProperties, api)
  }
  return own
}

/** `list of Genre`, `integer`, `"show" or "season"`. */
function typeText(schema: Schema, api: OpenApi): string {
  const { name, schema: own } = resolveSchema(schema, api)
  if (own.items !== undefined) return `list of ${typeText(own.items, api)}`
  if (typeof own.additionalProperties === 'object' && own.properties === undefined) {
    return `map to ${typeText(own.additionalProperties, api)}`
  }
  if (own.enum !== undefined) return own.enum.map((value) => JSON.stringify(value)).join(' or ')
  if (own.const !== undefined) return JSON.stringify(own.const)
  return name ?? own.type ?? 'value'
}

/** The parameters of an endpoint. */
export function ParameterList({ parameters }: { parameters: readonly Parameter[] }) {
  const t = useMessages(referenceMessages)
  return (
    <dl class="parameter-list">
      {parameters.map(({ name, required, description, schema }) => (
        <div key={name} id={name}>
          <dt>
            <code>{name}</code> {required && <Badge kind="accent">{t.required}</Badge>}
            <span class="parameter-type" lang="en">
              {schema.type}
            </span>
          </dt>
          <dd>
            <Prose text={description} /> {schema.type === 'array' && <span class="soft">{t.list} </span>}
            {schema.enum !== undefined && <span class="soft">{t.oneOf(schema.enum.join(', '))} </span>}
            {schema.default !== undefined && <span class="soft">{t.defaultValue(String(schema.default))}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The error codes of a status: the description lists them in one text, here each has a line. */
export function ErrorCodes({ text = '' }: { text: string | undefined }) {
  return (
    <ul>
      {text.split(/(?=`\w+`: )/).map((line) => (
        <li key={line}>
          <Prose text={line} />
        </li>
      ))}
    </ul>
  )
}

/** A description of the OpenAPI document, which is in English; text in backticks becomes `code`. */
export function Prose({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <span lang="en">
      {text.split('`').map((part, place) => (place % 2 === 1 ? <code key={place}>{part}</code> : part))}
    </span>
  )
}

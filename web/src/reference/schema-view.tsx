import { useMessages } from '../app/context.ts'
import { Badge } from '../components/feedback.tsx'
import { referenceMessages } from '../messages/tables.ts'
import { type OpenApi, type Parameter, resolveSchema, type Schema } from './openapi.ts'

interface SchemaViewProps {
  readonly schema: Schema
  readonly api: OpenApi
}

/** The shape of an answer. What lies within opens on demand, so that shapes within shapes stay readable. */
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
          <Property name={name} schema={property} isAlways={required.has(name)} api={api} />
        </li>
      ))}
    </ul>
  )
}

interface PropertyProps extends SchemaViewProps {
  readonly name: string
  readonly isAlways: boolean
}

function Property({ name, schema, isAlways, api }: PropertyProps) {
  const { optional } = useMessages(referenceMessages)
  const inner = elementSchema(schema, api)
  const head = (
    <>
      <code>{name}</code> <span class="schema-type">{typeText(schema, api)}</span>
      {!isAlways && <span class="schema-type"> · {optional}</span>}
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

/** What a schema is about in the end: the object in a list, or behind the keys of a map. */
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

/** All parameters of an endpoint, with what they mean and which values they take. */
export function ParameterList({ parameters }: { parameters: readonly Parameter[] }) {
  const t = useMessages(referenceMessages)
  return (
    <dl class="parameter-list">
      {parameters.map(({ name, required, description, schema }) => (
        <div key={name}>
          <dt>
            <code>{name}</code> {required && <Badge kind="accent">{t.required}</Badge>}
            <span class="parameter-type" lang="en">
              {schema.type}
            </span>
          </dt>
          <dd>
            <Prose text={description} /> {schema.type === 'array' && <span class="soft">{t.list} </span>}
            {schema.enum !== undefined && <span class="soft">{t.oneOf(schema.enum.join(', '))} </span>}
            {schema.default !== undefined && <span class="soft">{t.standard(String(schema.default))}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** What a status can mean: the description names a code and its meaning one after the other, here each has its line. */
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

/** A text of the description, which is English whatever the language of the page; `code` in backticks is set as such. */
export function Prose({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <span lang="en">
      {text.split('`').map((part, place) => (place % 2 === 1 ? <code key={place}>{part}</code> : part))}
    </span>
  )
}

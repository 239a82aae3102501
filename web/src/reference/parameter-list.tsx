import { Badge } from '../ui/badge.tsx'
import { referenceMessages } from './messages.ts'
import type { Parameter } from './openapi.ts'
import { Prose } from './prose.tsx'

/** All parameters of an endpoint, with what they mean and which values they take. */
export function ParameterList({ parameters }: { parameters: readonly Parameter[] }) {
  const t = referenceMessages.current
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

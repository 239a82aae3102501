import { useState } from 'preact/hooks'
import { useMessages, useViewer } from '../app/context.ts'
import { Button } from '../components/button.tsx'
import { SelectField, TextField } from '../components/field.tsx'
import { referenceMessages } from '../messages/tables.ts'
import { CodeBlock } from './code-block.tsx'
import { KeyChoice } from './key-entry.tsx'
import type { Operation, Parameter } from './openapi.ts'
import { curlCommand, initialValue, type ParameterValues, requestUrl } from './snippets.ts'
import { sendTrial, type Trial, TrialResponse } from './trial-response.tsx'
import './try-it.css'
import { useSession } from '../platform/session.ts'

const BASE = '/v4'

/** A form that sends a real request with the user's key. */
export function TryIt({ path, operation }: { path: string; operation: Operation }) {
  const { storedKey } = useSession()
  const referenceText = useMessages(referenceMessages)
  const t = useMessages(referenceMessages).tryIt
  const { parameters = [] } = operation
  const { country } = useViewer()
  const [values, setValues] = useState<ParameterValues>(() => startValues(parameters, country))
  const [typedKey, setTypedKey] = useState('')
  const [trial, setTrial] = useState<Trial | 'sending'>()
  const key = storedKey.value?.secret ?? typedKey.trim()
  const url = `${BASE}${requestUrl(path, operation, values)}`
  const send = async () => {
    if (storedKey.peek() === undefined) storedKey.set({ secret: key })
    setTrial('sending')
    setTrial(await sendTrial(url, key))
  }
  const field = (parameter: Parameter) => (
    <ParameterField
      key={parameter.name}
      parameter={parameter}
      value={values[parameter.name] ?? ''}
      onChange={(value) => setValues({ ...values, [parameter.name]: value })}
    />
  )
  const optional = parameters.filter(({ required }) => !required)
  return (
    <section class="card stack try-it" aria-label={t.title}>
      <h2>{t.title}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <KeyChoice typed={typedKey} onType={setTypedKey} />
        {parameters.filter(({ required }) => required).map(field)}
        {optional.length > 0 && (
          <details>
            <summary>{t.more(optional.length)}</summary>
            {optional.map(field)}
          </details>
        )}
        <div class="row">
          <Button kind="main" type="submit" isOff={trial === 'sending'}>
            {trial === 'sending' ? t.sending : t.send}
          </Button>
          <span class="field-hint">{t.cost}</span>
        </div>
      </form>
      <CodeBlock
        label={t.asCurl}
        text={curlCommand(window.location.origin + url, key === '' ? referenceText.start.placeholder : key)}
      />
      <div aria-live="polite">{trial !== undefined && trial !== 'sending' && <TrialResponse trial={trial} />}</div>
    </section>
  )
}

interface ParameterFieldProps {
  readonly parameter: Parameter
  readonly value: string
  readonly onChange: (value: string) => void
}

function ParameterField({ parameter, value, onChange }: ParameterFieldProps) {
  const { name, required, schema, example } = parameter
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String)
  if (choices !== undefined) {
    return (
      <SelectField label={name} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {!required && <option value="">{schema.default === undefined ? '' : `(${schema.default})`}</option>}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </SelectField>
    )
  }
  return (
    <TextField
      label={name}
      value={value}
      required={required}
      spellcheck={false}
      autocomplete="off"
      inputMode={schema.type === 'integer' ? 'numeric' : undefined}
      placeholder={example === undefined ? '' : String(example)}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** Examples for required parameters, with the country of the viewer. */
function startValues(parameters: readonly Parameter[], country: string): ParameterValues {
  const values = Object.fromEntries(parameters.map((parameter) => [parameter.name, initialValue(parameter)]))
  for (const name of ['country', 'country-code']) if (values[name]) values[name] = country
  return values
}

import { useId, useState } from 'preact/hooks'
import { useApp, useMessages, useViewer } from '../app/context.ts'
import { Button } from '../components/button.tsx'
import { Segments } from '../components/choice.tsx'
import { SelectField, TextField } from '../components/field.tsx'
import { useCountry, useGenres } from '../data/use-query.ts'
import { referenceMessages } from '../messages/tables.ts'
import { CodeBlock } from './code-block.tsx'
import { KeyChoice } from './key-entry.tsx'
import type { Operation, Parameter } from './openapi.ts'
import { CALL_LANGUAGES, type CallLanguage, callSnippet } from './operation-snippets.ts'
import { initialValue, type ParameterValues, requestUrl } from './snippets.ts'
import { sendTrial, type Trial, TrialResponse } from './trial-response.tsx'
import './try-it.css'
import { useSession } from '../platform/session.ts'

const BASE = '/v4'

interface TryItProps {
  readonly path: string
  readonly operation: Operation
  /** Whether the form can be sent; otherwise it only fills in the code. */
  readonly canSend: boolean
}

/** A form that sends a real request with the user's key. */
export function TryIt({ path, operation, canSend }: TryItProps) {
  const { storedKey } = useSession()
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
          if (canSend) void send()
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
        {canSend && (
          <div class="row">
            <Button kind="main" type="submit" isOff={trial === 'sending'}>
              {trial === 'sending' ? t.sending : t.send}
            </Button>
            <span class="field-hint">{t.cost}</span>
          </div>
        )}
      </form>
      <CallCode operation={operation} values={values} url={url} apiKey={key} />
      <div aria-live="polite">{trial !== undefined && trial !== 'sending' && <TrialResponse trial={trial} />}</div>
    </section>
  )
}

interface CallCodeProps {
  readonly operation: Operation
  readonly values: ParameterValues
  readonly url: string
  /** Empty while there is none. */
  readonly apiKey: string
}

/** The request of the form as code, in the language that the reader chooses. */
function CallCode({ operation, values, url, apiKey }: CallCodeProps) {
  const t = useMessages(referenceMessages)
  const [language, setLanguage] = useState<CallLanguage>('curl')
  const { origin } = window.location
  const text = callSnippet(language, {
    operation,
    values,
    url: origin + url,
    base: origin + BASE,
    key: apiKey === '' ? t.start.placeholder : apiKey,
  })
  return (
    <div class="stack">
      <Segments
        label={t.snippetLanguage}
        options={CALL_LANGUAGES.map((one) => [one, one] as const)}
        value={language}
        onChange={setLanguage}
      />
      <CodeBlock label={language === 'curl' ? t.tryIt.asCurl : t.asCode(language)} text={text} />
    </div>
  )
}

interface ParameterFieldProps {
  readonly parameter: Parameter
  readonly value: string
  readonly onChange: (value: string) => void
}

function ParameterField({ parameter, value, onChange }: ParameterFieldProps) {
  const { name, required, schema, example } = parameter
  const list = useId()
  // In a list, what is picked is added to the entries before it.
  const chosen = schema.type === 'array' ? value.slice(0, value.lastIndexOf(',') + 1) : ''
  const known = usePicks(name)
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
    <>
      <TextField
        label={name}
        value={value}
        required={required}
        spellcheck={false}
        autocomplete="off"
        inputMode={schema.type === 'integer' ? 'numeric' : undefined}
        placeholder={example === undefined ? '' : String(example)}
        list={known.length > 0 ? list : undefined}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {known.length > 0 && (
        <datalist id={list}>
          {known.map(({ id, name: text }) => (
            <option key={id} value={chosen + id}>
              {text}
            </option>
          ))}
        </datalist>
      )}
    </>
  )
}

/** Ids and names that a parameter can have: countries, services and genres of the catalog. */
function usePicks(name: string): readonly { readonly id: string; readonly name: string }[] {
  const { catalog } = useApp()
  const country = useCountry()
  const genres = useGenres()
  if (name === 'country' || name === 'country-code')
    return catalog.countries.map(({ code: id, name: text }) => ({ id, name: text }))
  if (name === 'genres' || name === 'exclude_genres') return genres.state === 'ready' ? genres.value : []
  const isService = name === 'service' || name === 'services' || name === 'catalogs'
  return isService && country.state === 'ready' ? country.value.services : []
}

/** Examples for required parameters, with the country of the viewer. */
function startValues(parameters: readonly Parameter[], country: string): ParameterValues {
  const values = Object.fromEntries(parameters.map((parameter) => [parameter.name, initialValue(parameter)]))
  for (const name of ['country', 'country-code']) if (values[name]) values[name] = country
  return values
}

import type { ComponentChildren } from 'preact'
import type { QueryValues } from '../app/viewer.ts'
import './query-form.css'

interface QueryFormProps {
  readonly class?: string
  /** The path of the page that it leads to. */
  readonly path: string
  /** Values that it keeps. Fields of the same name come before them, and the first value counts. */
  readonly kept: QueryValues
  /** The text of the button, which is only there without a script. */
  readonly submit: string
  readonly children: ComponentChildren
}

/** Fields whose values become the query string. With a script each field acts at once, and the form is never sent. */
export function QueryForm({ class: name = '', path, kept, submit, children }: QueryFormProps) {
  return (
    <form class={`query-form ${name}`} action={path} onSubmit={(event) => event.preventDefault()}>
      {/* The first button of a form is the one that Enter presses. */}
      <button type="submit" class="button query-form-submit">
        {submit}
      </button>
      {children}
      <HiddenValues values={kept} />
    </form>
  )
}

/** Values of a query string as hidden fields. */
export function HiddenValues({ values }: { values: QueryValues }) {
  return Object.entries(values).map(([name, value]) => {
    const text = String(value ?? '')
    return text === '' ? null : <input key={name} type="hidden" name={name} value={text} />
  })
}

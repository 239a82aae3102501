import type { ComponentChildren } from 'preact'
import type { QueryValues } from '../app/viewer.ts'
import './query-form.css'

interface QueryFormProps {
  readonly class?: string
  /** The path of the page that it leads to. */
  readonly path: string
  /** Values that it keeps. Fields of the same name come before them, and the first value counts. */
  readonly kept: QueryValues
  /** The text of a button that is only there without a script; absent if the fields have a button. */
  readonly submit?: string
  /** With a script, called instead of sending the form. */
  readonly onSubmit?: () => void
  readonly children: ComponentChildren
}

/** Fields whose values become the query string. With a script each field acts at once, and the form is never sent. */
export function QueryForm({ class: name = '', path, kept, submit, onSubmit, children }: QueryFormProps) {
  return (
    <form
      class={`query-form ${name}`}
      action={path}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit?.()
      }}
    >
      {/* The first button of a form is the one that Enter presses. */}
      <button type="submit" class="button query-form-submit" hidden={submit === undefined}>
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

import { TextField } from '../ui/field.tsx'
import { TextAreaField } from '../ui/text-area-field.tsx'
import { dashboardMessages } from './messages.ts'

/** What the owner can say of a key. */
export interface KeyForm {
  readonly name: string
  readonly origins: readonly string[]
}

/** Inputs for the name and the origins of a key. */
export function KeyFields({ name = '', origins = [] }: Partial<KeyForm>) {
  const t = dashboardMessages.current.keys
  return (
    <>
      <TextField
        label={t.name}
        name="name"
        defaultValue={name}
        maxLength={100}
        required={true}
        autocomplete="off"
        hint={t.nameHint}
      />
      <TextAreaField
        label={t.origins}
        name="origins"
        defaultValue={origins.join('\n')}
        rows={Math.max(2, origins.length)}
        spellcheck={false}
        hint={t.originsHint}
      />
    </>
  )
}

/** Reads the inputs. */
export function readKeyForm(form: HTMLFormElement): KeyForm {
  const data = new FormData(form)
  const origins = String(data.get('origins') ?? '').split(/[\s,]+/)
  return { name: String(data.get('name') ?? ''), origins: origins.filter((origin) => origin !== '') }
}

import type { ComponentChildren } from 'preact'
import { useFormats, useMessages } from '../app/context.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { SelectField } from '../components/field.tsx'
import { dashboardMessages, platformMessages } from '../messages/tables.ts'
import { useSession } from '../platform/session.ts'
import type { CreatedKey, KeyRecord } from '../platform/stored-key.ts'
import { ErrorNotice, useSubmit } from '../platform/submit.tsx'
import { KeyFields, readKeyForm } from './new-key.tsx'

interface KeyDialogProps<Result> {
  readonly record: KeyRecord
  readonly onClose: () => void
  readonly onDone: (result: Result) => void
}

/** How long the previous secret stays valid after a rotation, in seconds. */
const OVERLAPS = [0, 3_600, 86_400, 7 * 86_400, 30 * 86_400]
const DEFAULT_OVERLAP = 86_400

/** Changes the name and the origins of a key. */
export function EditKey({ record, onClose, onDone }: KeyDialogProps<void>) {
  const session = useSession()
  const t = useMessages(dashboardMessages).keys
  return (
    <KeyDialog
      title={t.editTitle(record.name)}
      submitLabel={t.save}
      onClose={onClose}
      act={async (form) => {
        await session.fetch({ method: 'PATCH', path: `/keys/${record.id}`, body: readKeyForm(form) })
        onDone()
      }}
    >
      <KeyFields name={record.name} {...(record.origins !== undefined && { origins: record.origins })} />
    </KeyDialog>
  )
}

/** Rotates the secret of a key. */
export function RotateKey({ record, onClose, onDone }: KeyDialogProps<CreatedKey>) {
  const session = useSession()
  const format = useFormats()
  const t = useMessages(dashboardMessages).keys
  return (
    <KeyDialog
      title={t.rotateTitle(record.name)}
      submitLabel={t.rotateSubmit}
      onClose={onClose}
      act={async (form) => {
        const body = { overlapSeconds: Number(new FormData(form).get('overlap')) }
        onDone(await session.fetch<CreatedKey>({ method: 'POST', path: `/keys/${record.id}/rotate`, body }))
      }}
    >
      <p>{t.rotateText}</p>
      <SelectField label={t.rotateOverlap} name="overlap" defaultValue={String(DEFAULT_OVERLAP)}>
        {OVERLAPS.map((seconds) => (
          <option key={seconds} value={seconds} selected={seconds === DEFAULT_OVERLAP}>
            {seconds === 0 ? t.atOnce : format.duration(seconds)}
          </option>
        ))}
      </SelectField>
    </KeyDialog>
  )
}

/** Revokes a key after a confirmation. */
export function RevokeKey({ record, onClose, onDone }: KeyDialogProps<void>) {
  const session = useSession()
  const { storedKey } = session
  const t = useMessages(dashboardMessages).keys
  return (
    <KeyDialog
      title={t.revokeTitle(record.name)}
      submitLabel={t.revokeSubmit}
      isDangerous={true}
      onClose={onClose}
      act={async () => {
        await session.fetch({ method: 'DELETE', path: `/keys/${record.id}` })
        if (storedKey.peek()?.id === record.id) storedKey.clear()
        onDone()
      }}
    >
      <p>{t.revokeText}</p>
    </KeyDialog>
  )
}

interface FrameProps {
  readonly title: string
  readonly submitLabel: string
  readonly isDangerous?: boolean
  readonly onClose: () => void
  readonly act: (form: HTMLFormElement) => Promise<void>
  readonly children: ComponentChildren
}

/** A dialog with a form, which closes after success. */
function KeyDialog({ title, submitLabel, isDangerous = false, onClose, act, children }: FrameProps) {
  const { cancel } = useMessages(platformMessages)
  const submit = useSubmit()
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          void submit.run(() => act(form)).then((isDone) => isDone && onClose())
        }}
      >
        {children}
        <ErrorNotice error={submit.error} />
        <div class="dialog-actions">
          <Button onClick={onClose}>{cancel}</Button>
          <Button kind={isDangerous ? 'danger' : 'main'} type="submit" isOff={submit.isBusy}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

import { useFormats, useMessages } from '../app/context.ts'
import { SelectField } from '../components/field.tsx'
import { dashboardMessages } from '../messages/tables.ts'
import { FormDialog } from '../platform/form-dialog.tsx'
import { useSession } from '../platform/session.ts'
import type { CreatedKey, KeyRecord } from '../platform/stored-key.ts'
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
    <FormDialog
      title={t.editTitle(record.name)}
      submitLabel={t.save}
      onClose={onClose}
      act={async (form) => {
        await session.fetch({ method: 'PATCH', path: `/keys/${record.id}`, body: readKeyForm(form) })
        onDone()
      }}
    >
      <KeyFields name={record.name} {...(record.origins !== undefined && { origins: record.origins })} />
    </FormDialog>
  )
}

/** Rotates the secret of a key. */
export function RotateKey({ record, onClose, onDone }: KeyDialogProps<CreatedKey>) {
  const session = useSession()
  const format = useFormats()
  const t = useMessages(dashboardMessages).keys
  return (
    <FormDialog
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
    </FormDialog>
  )
}

/** Revokes a key after a confirmation. */
export function RevokeKey({ record, onClose, onDone }: KeyDialogProps<void>) {
  const session = useSession()
  const { storedKey } = session
  const t = useMessages(dashboardMessages).keys
  return (
    <FormDialog
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
    </FormDialog>
  )
}

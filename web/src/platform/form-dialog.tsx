import type { ComponentChildren } from 'preact'
import { useMessages } from '../app/context.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { platformMessages } from '../messages/tables.ts'
import { ErrorNotice, useSubmit } from './submit.tsx'

interface FormDialogProps {
  readonly title: string
  readonly submitLabel: string
  readonly isDangerous?: boolean
  readonly onClose: () => void
  readonly act: (form: HTMLFormElement) => Promise<void>
  readonly children: ComponentChildren
}

/** A dialog with a form, which closes after success. */
export function FormDialog({ title, submitLabel, isDangerous = false, onClose, act, children }: FormDialogProps) {
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

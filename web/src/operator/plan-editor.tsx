import { useState } from 'preact/hooks'
import { useMessages } from '../app/context.ts'
import { Button } from '../components/button.tsx'
import { Badge } from '../components/feedback.tsx'
import { SelectField, TextField } from '../components/field.tsx'
import { RowFilter } from '../components/row-filter.tsx'
import { Table } from '../components/table.tsx'
import { operatorMessages } from '../messages/tables.ts'
import { FormDialog } from '../platform/form-dialog.tsx'
import { type Plan, usePlanText } from '../platform/plan.ts'
import { useSession } from '../platform/session.ts'
import { ErrorNotice, useSubmit } from '../platform/submit.tsx'

interface PlanEditorProps {
  readonly plans: readonly Plan[]
  /** Called after every change, so that the list is fetched again. */
  readonly onChanged: () => void
}

/** The plans of the service: an admin can create, edit, hide and remove them. */
export function PlanEditor({ plans, onChanged }: PlanEditorProps) {
  const session = useSession()
  const planText = usePlanText()
  const t = useMessages(operatorMessages).plans
  const submit = useSubmit()
  const [edited, setEdited] = useState<Plan | 'new'>()
  const change = (method: 'PUT' | 'DELETE', name: string, body?: object) =>
    session.fetch({ method, path: `/operator/plans/${encodeURIComponent(name)}`, ...(body !== undefined && { body }) })
  const run = (act: () => Promise<unknown>) => submit.run(act).then((isDone) => isDone && onChanged())
  return (
    <section class="stack">
      <h2>{t.title}</h2>
      <p class="soft">{t.lead}</p>
      <ErrorNotice error={submit.error} />
      <RowFilter
        rows={plans}
        textsOf={(plan) => [plan.name, planText.quota(plan), planText.rate(plan)]}
        label={t.search}
      >
        {(found) => (
          <Table caption={t.title} isRecords={true} head={[t.name, t.quota, t.rate, t.exports, t.actions]}>
            {found.map((plan) => {
              const { name, hidden = false, ...limits } = plan
              return (
                <tr key={name}>
                  <th scope="row">
                    {name} {hidden && <Badge>{t.hidden}</Badge>}
                  </th>
                  <td data-label={t.quota}>{planText.quota(plan)}</td>
                  <td data-label={t.rate}>{planText.rate(plan)}</td>
                  <td data-label={t.exports}>{mayExport(plan) ? t.yes : t.no}</td>
                  <td data-label={t.actions} class="nowrap">
                    <Button onClick={() => setEdited(plan)} aria-label={`${t.edit}: ${name}`}>
                      {t.edit}
                    </Button>{' '}
                    <Button
                      onClick={() => run(() => change('PUT', name, { ...limits, ...(!hidden && { hidden: true }) }))}
                      aria-label={`${hidden ? t.show : t.hide}: ${name}`}
                    >
                      {hidden ? t.show : t.hide}
                    </Button>{' '}
                    <Button
                      kind="quiet"
                      onClick={() => run(() => change('DELETE', name))}
                      aria-label={`${t.remove}: ${name}`}
                    >
                      {t.remove}
                    </Button>
                  </td>
                </tr>
              )
            })}
          </Table>
        )}
      </RowFilter>
      <p>
        <Button onClick={() => setEdited('new')}>{t.create}</Button>
      </p>
      {edited !== undefined && (
        <PlanDialog
          plan={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          save={async (name, limits) => {
            await change('PUT', name, limits)
            onChanged()
          }}
        />
      )}
    </section>
  )
}

interface PlanDialogProps {
  /** The plan to edit; undefined for a new one. */
  readonly plan: Plan | undefined
  readonly onClose: () => void
  readonly save: (name: string, limits: object) => Promise<void>
}

function PlanDialog({ plan, onClose, save }: PlanDialogProps) {
  const t = useMessages(operatorMessages).plans
  return (
    <FormDialog
      title={plan === undefined ? t.create : `${t.edit}: ${plan.name}`}
      submitLabel={t.save}
      onClose={onClose}
      act={(form) => {
        const fields = new FormData(form)
        const text = (name: string) => String(fields.get(name) ?? '').trim()
        const limits = {
          ...(text('requests') !== '' && { quota: { requests: Number(text('requests')), per: text('per') } }),
          ...(text('rate') !== '' && { rate: Number(text('rate')) }),
          exports: text('exports') === 'yes',
          ...(plan?.hidden === true && { hidden: true }),
        }
        return save(plan?.name ?? text('name'), limits)
      }}
    >
      {plan === undefined && <TextField label={t.name} name="name" required={true} hint={t.nameHint} />}
      <TextField
        label={t.requests}
        name="requests"
        type="number"
        min={0}
        defaultValue={plan?.quota === undefined ? '' : String(plan.quota.requests)}
        hint={t.emptyHint}
      />
      <SelectField label={t.per} name="per">
        <option value="month">{t.month}</option>
        <option value="day" selected={plan?.quota?.per === 'day'}>
          {t.day}
        </option>
      </SelectField>
      <TextField
        label={t.perSecond}
        name="rate"
        type="number"
        min={1}
        defaultValue={plan?.rate === undefined ? '' : String(plan.rate)}
        hint={t.emptyHint}
      />
      <SelectField label={t.exports} name="exports">
        <option value="no">{t.no}</option>
        <option value="yes" selected={plan !== undefined && mayExport(plan)}>
          {t.yes}
        </option>
      </SelectField>
    </FormDialog>
  )
}

function mayExport({ exports, quota }: Plan): boolean {
  return exports ?? quota === undefined
}

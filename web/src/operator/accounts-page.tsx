import { useState } from 'preact/hooks'
import { useFormats, useMessages } from '../app/context.ts'
import { Button } from '../components/button.tsx'
import { Badge, Notice } from '../components/feedback.tsx'
import { TextField } from '../components/field.tsx'
import { RowFilter } from '../components/row-filter.tsx'
import { Table } from '../components/table.tsx'
import { operatorMessages, platformMessages } from '../messages/tables.ts'
import { LiveView, useLiveQuery } from '../platform/live-view.tsx'
import { type Plan, usePlanText } from '../platform/plan.ts'
import { type Account, useSession } from '../platform/session.ts'
import { ErrorNotice, useSubmit } from '../platform/submit.tsx'
import { AccountDialog, OneTimeText } from './account-dialog.tsx'
import { OperatorLayout } from './operator-layout.tsx'
import { PlanEditor } from './plan-editor.tsx'
import '../platform/sign-in-form.css'

type ListedAccount = Account & { readonly plan: string; readonly keys: number }

interface AccountList {
  readonly accounts: readonly ListedAccount[]
  readonly plans: readonly Plan[]
}

/** All accounts with their plans, what can be done with each, and invitations. */
export default function AccountsPage() {
  const t = useMessages(operatorMessages).accounts
  return (
    <OperatorLayout title={t.title} lead={t.lead}>
      <Accounts />
    </OperatorLayout>
  )
}

function Accounts() {
  const session = useSession()
  const format = useFormats()
  const t = useMessages(operatorMessages).accounts
  const live = useLiveQuery<AccountList>('/operator/accounts')
  const submit = useSubmit()
  const [saved, setSaved] = useState<string>()
  const [managed, setManaged] = useState<Account>()
  const setPlan = ({ id, email }: Account, plan: string) =>
    submit.run(async () => {
      setSaved(undefined)
      await session.fetch({ method: 'PATCH', path: `/operator/accounts/${id}`, body: { plan } })
      setSaved(t.saved(email, plan))
      live.reload()
    })
  return (
    <LiveView of={live} height="20rem">
      {({ accounts, plans }) => (
        <>
          <ErrorNotice error={submit.error} />
          {saved !== undefined && (
            <Notice kind="good" isUrgent={true}>
              <p>{saved}</p>
            </Notice>
          )}
          <RowFilter
            rows={accounts}
            textsOf={({ email, role, plan }) => [email, role, plan]}
            label={t.search}
            count={t.count}
          >
            {(found) =>
              found.length === 0 ? (
                <p>{t.none}</p>
              ) : (
                <Table caption={t.title} isRecords={true} head={[t.email, t.manage, t.plan, t.keys, t.created, t.role]}>
                  {found.map((account) => (
                    <tr key={account.id}>
                      <th scope="row">{account.email}</th>
                      <td data-label={t.manage}>
                        <Button onClick={() => setManaged(account)} aria-label={t.manageAccount(account.email)}>
                          {account.disabledAt === undefined
                            ? t.manage
                            : t.disabledSince(format.instant(account.disabledAt))}
                        </Button>
                      </td>
                      <td data-label={t.plan}>
                        <PlanChoice account={account} plans={plans} onChoose={(plan) => setPlan(account, plan)} />
                      </td>
                      <td data-label={t.keys}>{format.number(account.keys)}</td>
                      <td data-label={t.created} class="nowrap">
                        {format.instant(account.createdAt)}
                      </td>
                      <td data-label={t.role}>
                        <Badge kind={account.role === 'admin' ? 'accent' : 'plain'}>{account.role}</Badge>
                      </td>
                    </tr>
                  ))}
                </Table>
              )
            }
          </RowFilter>
          <Invite />
          <PlanEditor plans={plans} onChanged={live.reload} />
          {managed !== undefined && (
            <AccountDialog account={managed} onChanged={live.reload} onClose={() => setManaged(undefined)} />
          )}
        </>
      )}
    </LiveView>
  )
}

/** Invites an e-mail address, by mail if the service can send one, and shows the code once. */
function Invite() {
  const session = useSession()
  const platformText = useMessages(platformMessages)
  const t = useMessages(operatorMessages).accounts
  const submit = useSubmit()
  const [invitation, setInvitation] = useState<Invitation & { readonly email: string }>()
  const known = session.state.value
  const mail = known.state === 'ready' && known.value.mail === true
  return (
    <form
      class="card entry-form"
      onSubmit={(event) => {
        event.preventDefault()
        const email = String(new FormData(event.currentTarget).get('email'))
        void submit.run(async () => {
          const request = {
            method: 'POST',
            path: '/operator/invitations',
            body: mail ? { email, mail } : { email },
          } as const
          setInvitation({ email, ...(await session.fetch<Invitation>(request)) })
        })
      }}
    >
      <h2>{t.inviteTitle}</h2>
      <TextField label={platformText.email} name="email" type="email" autocomplete="off" required={true} />
      <ErrorNotice error={submit.error} />
      {invitation?.mailed === true && (
        <Notice kind="good" isUrgent={true}>
          <p>{t.invitationMailed(invitation.email)}</p>
        </Notice>
      )}
      {invitation?.problem !== undefined && (
        <Notice kind="warn" isUrgent={true}>
          <p>{t.notMailed(invitation.problem)}</p>
        </Notice>
      )}
      {invitation !== undefined && <OneTimeText label={t.invitationFor(invitation.email)} text={invitation.code} />}
      <Button type="submit" isOff={submit.isBusy}>
        {t.inviteSubmit}
      </Button>
    </form>
  )
}

/** A new invitation: its code, and whether a mail with it was sent, or why not. */
interface Invitation {
  readonly code: string
  readonly mailed?: boolean
  readonly problem?: string
}

interface PlanChoiceProps {
  readonly account: ListedAccount
  readonly plans: readonly Plan[]
  readonly onChoose: (plan: string) => void
}

function PlanChoice({ account, plans, onChoose }: PlanChoiceProps) {
  const planText = usePlanText()
  const t = useMessages(operatorMessages).accounts
  const offered = plans.filter(({ name, hidden }) => hidden !== true || name === account.plan)
  return (
    <select
      class="control account-plan"
      aria-label={t.planOf(account.email)}
      value={account.plan}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {offered.map((plan) => (
        <option key={plan.name} value={plan.name}>
          {plan.name} ({planText.quota(plan)})
        </option>
      ))}
    </select>
  )
}

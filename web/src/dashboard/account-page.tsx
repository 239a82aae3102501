import { useState } from 'preact/hooks'
import { useFormats, useHref, useMessages, useNavigate } from '../app/context.ts'
import { Button, ButtonLink } from '../components/button.tsx'
import { Badge, Notice } from '../components/feedback.tsx'
import { Table } from '../components/table.tsx'
import { dashboardMessages, platformMessages } from '../messages/tables.ts'
import { DeveloperLayout } from '../platform/developer-layout.tsx'
import { FormDialog } from '../platform/form-dialog.tsx'
import { LiveView, useLiveQuery } from '../platform/live-view.tsx'
import { PasswordField } from '../platform/password-field.tsx'
import { type Plan, usePlanText } from '../platform/plan.ts'
import type { PlatformRequest } from '../platform/platform-request.ts'
import { SignInError, useThrottle } from '../platform/sign-in-form.tsx'
import { ErrorNotice, useSubmit } from '../platform/submit.tsx'
import '../platform/sign-in-form.css'
import { useSession } from '../platform/session.ts'

/** The account, its plan, its password, and the way out. */
export default function AccountPage() {
  const t = useMessages(dashboardMessages).account
  return (
    <DeveloperLayout title={t.title} for="account">
      <AccountFacts />
      <Plans />
      <ChangePassword />
      <Leave />
    </DeveloperLayout>
  )
}

function AccountFacts() {
  const session = useSession()
  const format = useFormats()
  const hrefTo = useHref()
  const navigate = useNavigate()
  const platformText = useMessages(platformMessages)
  const t = useMessages(dashboardMessages).account
  const submit = useSubmit()
  const person = session.person
  if (person === undefined) return null
  const { email, role, createdAt } = person.account
  const leave = async () => {
    await session.signOut()
    navigate(hrefTo('/sign-in'))
  }
  return (
    <section class="card stack" aria-label={t.title}>
      <dl class="facts">
        <dt>{platformText.email}</dt>
        <dd>{email}</dd>
        <dt>{t.role}</dt>
        <dd>{t.roles[role]}</dd>
        <dt>{t.since}</dt>
        <dd>{format.instant(createdAt)}</dd>
      </dl>
      <ErrorNotice error={submit.error} />
      <Button isOff={submit.isBusy} onClick={() => submit.run(leave)}>
        {t.signOut}
      </Button>
    </section>
  )
}

function Plans() {
  const session = useSession()
  const t = useMessages(dashboardMessages).account
  const planText = usePlanText()
  const live = useLiveQuery<{ plans: Plan[] }>('/plans')
  const own = session.person?.plan.name
  return (
    <section class="stack">
      <h2>{t.plans}</h2>
      <p class="soft">{t.plansLead}</p>
      <LiveView of={live}>
        {({ plans }) => (
          <Table caption={t.plans} head={[t.plan, t.requests, t.rate]}>
            {plans.map((plan) => (
              <tr key={plan.name} aria-current={plan.name === own ? 'true' : undefined}>
                <th scope="row">
                  {plan.name} {plan.name === own && <Badge kind="accent">{t.yours}</Badge>}
                </th>
                <td>{planText.quota(plan)}</td>
                <td>{planText.rate(plan)}</td>
              </tr>
            ))}
          </Table>
        )}
      </LiveView>
    </section>
  )
}

/** Changes the password. */
function ChangePassword() {
  const session = useSession()
  const t = useMessages(dashboardMessages).account
  const submit = useSubmit()
  const wait = useThrottle(submit.error)
  const [isDone, setDone] = useState(false)
  return (
    <form
      class="card entry-form"
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        const data = new FormData(form)
        const body = { current: String(data.get('current')), next: String(data.get('next')) }
        setDone(false)
        void submit.run(async () => {
          await session.fetch({ method: 'POST', path: '/password', body })
          form.reset()
          setDone(true)
        })
      }}
    >
      <h2>{t.passwordTitle}</h2>
      <input
        type="text"
        name="username"
        autocomplete="username"
        value={session.person?.account.email ?? ''}
        readOnly={true}
        hidden={true}
      />
      <PasswordField label={t.current} name="current" />
      <PasswordField label={t.next} name="next" isNew={true} />
      <SignInError error={submit.error} wait={wait} />
      {isDone && (
        <Notice kind="good" isUrgent={true}>
          <p>{t.changed}</p>
        </Notice>
      )}
      <Button kind="main" type="submit" isOff={submit.isBusy || wait > 0}>
        {t.submit}
      </Button>
    </form>
  )
}

/** Ends all sessions, downloads what is stored about the account, and deletes it. */
function Leave() {
  const session = useSession()
  const hrefTo = useHref()
  const navigate = useNavigate()
  const t = useMessages(dashboardMessages).account
  const submit = useSubmit()
  const [isDeleting, setDeleting] = useState(false)
  const leave = async (request: PlatformRequest) => {
    await session.signOut(request)
    navigate(hrefTo('/sign-in'))
  }
  return (
    <section class="card stack" aria-label={t.leaveTitle}>
      <h2>{t.leaveTitle}</h2>
      <p class="soft">{t.leaveText}</p>
      <ErrorNotice error={submit.error} />
      <div class="button-row">
        <Button isOff={submit.isBusy} onClick={() => submit.run(() => leave({ method: 'DELETE', path: '/sessions' }))}>
          {t.signOutEverywhere}
        </Button>
        <ButtonLink href="/platform/account" download="account.json">
          {t.download}
        </ButtonLink>
        <Button kind="danger" onClick={() => setDeleting(true)}>
          {t.deleteAccount}
        </Button>
      </div>
      {isDeleting && (
        <FormDialog
          title={t.deleteTitle}
          submitLabel={t.deleteAccount}
          isDangerous={true}
          onClose={() => setDeleting(false)}
          act={async (form) => {
            const body = { password: String(new FormData(form).get('password')) }
            await leave({ method: 'DELETE', path: '/account', body })
            session.isAccountDeleted.value = true
          }}
        >
          <p>{t.deleteText}</p>
          <PasswordField label={t.current} name="password" />
        </FormDialog>
      )}
    </section>
  )
}

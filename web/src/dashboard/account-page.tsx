import { formatInstant } from '../i18n/measures.ts'
import { DeveloperFrame } from '../platform/developer-frame.tsx'
import { LiveView } from '../platform/live-view.tsx'
import { platformMessages } from '../platform/messages.ts'
import { quotaText, rateText } from '../platform/plan-text.ts'
import { ProblemNotice } from '../platform/problem-notice.tsx'
import { type Plan, personOf, session, signOut } from '../platform/session.ts'
import { usePlatform } from '../platform/use-platform.ts'
import { useSubmit } from '../platform/use-submit.ts'
import { hrefTo } from '../routing/href-to.ts'
import { navigate } from '../routing/location.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Table } from '../ui/table.tsx'
import { ChangePassword } from './change-password.tsx'
import { dashboardMessages } from './messages.ts'

/** Who is signed in, the plan among all plans, and the password. */
export default function AccountPage() {
  const t = dashboardMessages.current.account
  return (
    <DeveloperFrame title={t.title} for="account">
      <AccountFacts />
      <Plans />
      <ChangePassword />
    </DeveloperFrame>
  )
}

function AccountFacts() {
  const t = dashboardMessages.current.account
  const submit = useSubmit()
  const person = personOf(session.value)
  if (person === undefined) return null
  const { email, role, createdAt } = person.account
  const leave = async () => {
    await signOut()
    navigate(hrefTo('/sign-in'))
  }
  return (
    <section class="card stack" aria-label={t.title}>
      <dl class="facts">
        <dt>{platformMessages.current.email}</dt>
        <dd>{email}</dd>
        <dt>{t.role}</dt>
        <dd>{t.roles[role]}</dd>
        <dt>{t.since}</dt>
        <dd>{formatInstant(createdAt)}</dd>
      </dl>
      <ProblemNotice error={submit.error} />
      <Button isOff={submit.isBusy} onClick={() => submit.run(leave)}>
        {t.signOut}
      </Button>
    </section>
  )
}

function Plans() {
  const t = dashboardMessages.current.account
  const live = usePlatform<{ plans: Plan[] }>('/plans')
  const own = personOf(session.value)?.plan.name
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
                <td>{quotaText(plan)}</td>
                <td>{rateText(plan)}</td>
              </tr>
            ))}
          </Table>
        )}
      </LiveView>
    </section>
  )
}

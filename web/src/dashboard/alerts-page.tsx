import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useApp, useFormats, useMessages, useViewer } from '../app/context.ts'
import { countryNames } from '../app/viewer.ts'
import { Button, CopyButton } from '../components/button.tsx'
import { Badge, Notice } from '../components/feedback.tsx'
import { SelectField, TextField } from '../components/field.tsx'
import { dashboardMessages, platformMessages } from '../messages/tables.ts'
import { DeveloperLayout } from '../platform/developer-layout.tsx'
import { LiveView, useLiveQuery } from '../platform/live-view.tsx'
import { useSession } from '../platform/session.ts'
import { ErrorNotice, useSubmit } from '../platform/submit.tsx'
import { describeFilter, type WebhookFilter } from './webhook-filter.ts'
import './keys-page.css'

/** A webhook as the platform prints it. */
interface WebhookRecord {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly filter: WebhookFilter
  readonly createdAt: number
  readonly paused?: { readonly at: number; readonly reason: 'owner' | 'failing' }
  readonly failingSince?: number
  readonly nextAttemptAt?: number
  readonly deadLetters: number
}

/** A delivery in the log of a webhook. */
interface Delivery {
  readonly number?: number
  readonly id: string
  readonly at: number
  readonly changes: number
  readonly attempt: number
  readonly status?: number
  readonly ms: number
  readonly error?: string
}

interface SavedFeed {
  readonly id: string
  readonly name: string
  readonly paths: Readonly<Record<string, string>>
}

/** Webhooks and saved feeds of the account. */
export default function AlertsPage() {
  const t = useMessages(dashboardMessages).alerts
  return (
    <DeveloperLayout title={t.title} lead={t.lead} for="account">
      <Webhooks />
      <Feeds />
    </DeveloperLayout>
  )
}

function Webhooks() {
  const session = useSession()
  const t = useMessages(dashboardMessages).alerts
  const live = useLiveQuery<{ webhooks: WebhookRecord[] }>('/webhooks')
  const [secret, setSecret] = useState<string>()
  const create = async (form: HTMLFormElement) => {
    const { name, url, ...filter } = readForm(form)
    const made = await session.fetch<{ secret: string }>({
      method: 'POST',
      path: '/webhooks',
      body: { name, url, filter },
    })
    setSecret(made.secret)
    form.reset()
    live.reload()
  }
  return (
    <>
      <CreateForm title={t.createWebhook} act={create}>
        <TextField label={t.url} name="url" type="url" required={true} maxLength={2000} hint={t.urlHint} />
      </CreateForm>
      {secret !== undefined && <Secret secret={secret} />}
      <h2>{t.webhooks}</h2>
      <LiveView of={live}>
        {({ webhooks }) => (
          <>
            {webhooks.length === 0 && <p class="soft">{t.noWebhooks}</p>}
            {webhooks.length > 0 && (
              <ul class="key-list">
                {webhooks.map((webhook) => (
                  <li key={webhook.id}>
                    <WebhookCard webhook={webhook} onChanged={live.reload} onSecret={setSecret} />
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </LiveView>
    </>
  )
}

/** The secret of a webhook, which is shown once. */
function Secret({ secret }: { secret: string }) {
  const t = useMessages(dashboardMessages)
  const { copied, copyFailed } = useMessages(platformMessages)
  return (
    <Notice title={t.alerts.secret}>
      <p>{t.keys.once}</p>
      <p class="row">
        <code>{secret}</code>
        <CopyButton text={secret} label={t.keys.copy} doneLabel={copied} failedLabel={copyFailed} />
      </p>
    </Notice>
  )
}

interface WebhookCardProps {
  readonly webhook: WebhookRecord
  readonly onChanged: () => void
  readonly onSecret: (secret: string) => void
}

/** A webhook with its state, its latest deliveries and its actions. */
function WebhookCard({ webhook, onChanged, onSecret }: WebhookCardProps) {
  const session = useSession()
  const format = useFormats()
  const t = useMessages(dashboardMessages).alerts
  const submit = useSubmit()
  const [tested, setTested] = useState<Delivery>()
  const [log, setLog] = useState<readonly Delivery[]>()
  const { id, name, url, filter, paused, failingSince, deadLetters } = webhook
  const path = `/webhooks/${id}`
  const act = (work: () => Promise<unknown>) => void submit.run(async () => work().then(onChanged))
  return (
    <article class="card key-card">
      <div class="key-card-head">
        <h3>{name}</h3>
        {paused !== undefined && <Badge kind="bad">{paused.reason === 'failing' ? t.pausedFailing : t.paused}</Badge>}
        {paused === undefined && failingSince !== undefined && (
          <Badge kind="warn">{t.failing(format.ago(failingSince))}</Badge>
        )}
        {deadLetters > 0 && <Badge kind="warn">{t.givenUp(deadLetters)}</Badge>}
      </div>
      <dl class="facts">
        <dt>{t.url}</dt>
        <dd>{url}</dd>
        <dt>{t.filter}</dt>
        <dd>{describeFilter(filter)}</dd>
      </dl>
      <div class="row">
        <Button
          onClick={() =>
            act(async () => setTested(await session.fetch<Delivery>({ method: 'POST', path: `${path}/test` })))
          }
        >
          {t.test}
        </Button>
        <Button
          onClick={() =>
            act(async () =>
              setLog((await session.fetch<{ deliveries: Delivery[] }>({ path: `${path}/deliveries` })).deliveries),
            )
          }
        >
          {t.deliveries}
        </Button>
        <Button
          onClick={() => act(() => session.fetch({ method: 'PATCH', path, body: { paused: paused === undefined } }))}
        >
          {paused === undefined ? t.pause : t.resume}
        </Button>
        {deadLetters > 0 && (
          <Button onClick={() => act(() => session.fetch({ method: 'POST', path: `${path}/replay`, body: {} }))}>
            {t.replay}
          </Button>
        )}
        <Button
          onClick={() =>
            act(async () =>
              onSecret((await session.fetch<{ secret: string }>({ method: 'POST', path: `${path}/rotate` })).secret),
            )
          }
        >
          {t.rotate}
        </Button>
        <Button kind="danger" onClick={() => act(() => session.fetch({ method: 'DELETE', path }))}>
          {t.delete}
        </Button>
      </div>
      <ErrorNotice error={submit.error} />
      {tested !== undefined && <p role="status">{describeDelivery(tested)}</p>}
      {log !== undefined && (
        <ul>
          {log.length === 0 && <li>{t.noDeliveries}</li>}
          {log.slice(0, 10).map((delivery) => (
            <li key={delivery.number}>
              {format.instant(delivery.at)}: {describeDelivery(delivery)}
            </li>
          ))}
        </ul>
      )}
    </article>
  )
}

/** The outcome of a delivery: `200, 35 ms`. */
function describeDelivery({ status, error, ms }: Delivery): string {
  return `${error ?? status}, ${ms} ms`
}

function Feeds() {
  const session = useSession()
  const t = useMessages(dashboardMessages).alerts
  const live = useLiveQuery<{ feeds: SavedFeed[] }>('/feeds')
  const submit = useSubmit()
  const create = async (form: HTMLFormElement) => {
    await session.fetch({ method: 'POST', path: '/feeds', body: readForm(form) })
    form.reset()
    live.reload()
  }
  return (
    <>
      <CreateForm title={t.createFeed} act={create} />
      <h2>{t.feeds}</h2>
      <ErrorNotice error={submit.error} />
      <LiveView of={live}>
        {({ feeds }) => (
          <ul class="key-list">
            {feeds.length === 0 && <li class="soft">{t.noFeeds}</li>}
            {feeds.map(({ id, name, paths }) => (
              <li key={id} class="card stack">
                <h3>{name}</h3>
                <p class="row">
                  {Object.entries(paths).map(([feed, path]) => (
                    <a key={feed} href={path}>
                      {feed}
                    </a>
                  ))}
                </p>
                <div class="row">
                  <Button
                    kind="danger"
                    onClick={() =>
                      void submit.run(() => session.fetch({ method: 'DELETE', path: `/feeds/${id}` }).then(live.reload))
                    }
                  >
                    {t.revoke}
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        )}
      </LiveView>
    </>
  )
}

interface CreateFormProps {
  readonly title: string
  readonly act: (form: HTMLFormElement) => Promise<void>
  readonly children?: ComponentChildren
}

/** A form with a name and a filter. */
function CreateForm({ title, act, children }: CreateFormProps) {
  const t = useMessages(dashboardMessages)
  const viewer = useViewer()
  const [country, setCountry] = useState(viewer.country)
  const { catalog, language } = useApp()
  const submit = useSubmit()
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        void submit.run(() => act(form))
      }}
    >
      <h2>{title}</h2>
      <div class="key-form">
        <TextField label={t.keys.name} name="name" required={true} maxLength={100} autocomplete="off" />
        {children}
        <SelectField
          label={t.alerts.country}
          name="country"
          value={country}
          onChange={({ currentTarget }) => setCountry(currentTarget.value)}
        >
          {countryNames(catalog, language.value).map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField label={t.alerts.catalogs} name="catalogs" autocomplete="off" hint={t.alerts.catalogsHint} />
        <div class="key-form-foot stack">
          <ErrorNotice error={submit.error} />
          <Button kind="main" type="submit" isOff={submit.isBusy}>
            {title}
          </Button>
        </div>
      </div>
    </form>
  )
}

/** The fields of a form; services are separated by commas, and empty fields left out. */
function readForm(form: HTMLFormElement): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = {}
  for (const [name, value] of new FormData(form)) {
    const text = String(value).trim()
    if (text === '') continue
    fields[name] = name === 'catalogs' ? text.split(',').flatMap((part) => part.trim() || []) : text
  }
  return fields
}

import { useState } from 'preact/hooks'
import { useFormats, useMessages } from '../app/context.ts'
import { Button } from '../components/button.tsx'
import { Notice } from '../components/feedback.tsx'
import { SelectField, TextField } from '../components/field.tsx'
import { operatorMessages } from '../messages/tables.ts'
import { LiveView, useLiveQuery } from '../platform/live-view.tsx'
import { useSession } from '../platform/session.ts'
import { ErrorNotice, useSubmit } from '../platform/submit.tsx'
import { JobList, type OperatorJob } from './job-list.tsx'
import { OperatorLayout } from './operator-layout.tsx'
import type { OperatorStatus } from './operator-status.ts'
import { uploadFile } from './upload-file.ts'

const REFRESH_SECONDS = 2
const STATUS_SECONDS = 10

/** Formats that need no options; the others are for the command line. */
const FILE_FORMATS = ['media-actions', 'top-10', 'wikidata']
const SYNCS = { tmdb: 'TMDB', watchmode: 'Watchmode', tvmaze: 'TVmaze' }
const INTERVALS = ['1 hour', '6 hours', '1 day', '1 week'] as const

/** Where an admin fills the catalog: import a file, connect a source, load the demo; with the progress of what runs. */
export default function DataPage() {
  const t = useMessages(operatorMessages).data
  return (
    <OperatorLayout title={t.title} lead={t.lead}>
      <Data />
    </OperatorLayout>
  )
}

function Data() {
  const status = useLiveQuery<OperatorStatus>('/operator/status', { everySeconds: STATUS_SECONDS })
  const jobs = useLiveQuery<{ readonly jobs: readonly OperatorJob[] }>('/operator/jobs', {
    everySeconds: REFRESH_SECONDS,
  })
  return (
    <LiveView of={jobs} height="40rem">
      {({ jobs: list }) => {
        const isBusy = list[0]?.state === 'running'
        return (
          <>
            <JobList jobs={list} />
            <div class="cards data-forms">
              <ImportForm isBusy={isBusy} onStarted={jobs.reload} />
              <SourceForm />
              {status.value?.catalog.version === 0 && <DemoForm isBusy={isBusy} onStarted={jobs.reload} />}
            </div>
          </>
        )
      }}
    </LiveView>
  )
}

interface StartFormProps {
  /** Whether a job is running; only one runs at a time. */
  readonly isBusy: boolean
  readonly onStarted: () => void
}

function ImportForm({ isBusy, onStarted }: StartFormProps) {
  const session = useSession()
  const submit = useSubmit()
  const format = useFormats()
  const { data: t, sources } = useMessages(operatorMessages)
  const [sent, setSent] = useState<{ readonly bytes: number; readonly total: number }>()
  const start = async (form: FormData) => {
    const file = form.get('file') as File
    const text = (name: string) => String(form.get(name) ?? '').trim() || undefined
    const upload = await uploadFile(session, file, (bytes) => setSent({ bytes, total: file.size }))
    const body = {
      upload,
      name: file.name,
      source: text('source'),
      mode: text('mode'),
      format: text('format'),
      isTrial: form.get('isTrial') === 'on',
    }
    await session.fetch({ method: 'POST', path: '/operator/imports', body })
    onStarted()
  }
  return (
    <form
      class="card entry-form"
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        void submit.run(() => start(form)).then(() => setSent(undefined))
      }}
    >
      <h2>{t.file.title}</h2>
      <p class="soft">{t.file.lead}</p>
      <TextField label={t.file.file} name="file" type="file" required={true} />
      <TextField label={sources.source} name="source" hint={t.file.sourceHint} maxLength={64} />
      <ModeField />
      <FormatField automatic={t.file.automatic} />
      <label class="check">
        <input type="checkbox" name="isTrial" /> {t.file.trial}
      </label>
      {sent !== undefined && (
        <p role="status">
          <progress value={sent.bytes} max={sent.total} aria-label={t.file.uploading} />
          {t.file.uploading}: {format.bytes(sent.bytes)} / {format.bytes(sent.total)}
        </p>
      )}
      <ErrorNotice error={submit.error} />
      <Button kind="main" type="submit" isOff={submit.isBusy || isBusy}>
        {t.file.submit}
      </Button>
      <Command text="marquee import FILE" />
    </form>
  )
}

function ModeField() {
  const { data: t, sources } = useMessages(operatorMessages)
  return (
    <SelectField label={sources.kind} name="mode">
      <option value="">{t.file.fromFeed}</option>
      <option value="snapshot">{t.modes.snapshot}</option>
      <option value="delta">{t.modes.delta}</option>
    </SelectField>
  )
}

function FormatField({ automatic }: { automatic: string }) {
  const t = useMessages(operatorMessages).data
  return (
    <SelectField label={t.format} name="format">
      <option value="">{automatic}</option>
      {FILE_FORMATS.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}

function SourceForm() {
  const session = useSession()
  const submit = useSubmit()
  const t = useMessages(operatorMessages).data
  const [type, setType] = useState('feed')
  const [added, setAdded] = useState<{ readonly name: string; readonly detail: string }>()
  const add = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '').trim() || undefined
    const entry = { name: text('name'), every: text('every') }
    const body =
      type === 'feed'
        ? { ...entry, from: text('from'), format: text('format'), mode: text('mode') }
        : {
            ...entry,
            sync: type,
            countries:
              text('countries')
                ?.toLowerCase()
                .split(/[\s,]+/)
                .filter(Boolean) ?? [],
          }
    setAdded(undefined)
    setAdded(await session.fetch({ method: 'POST', path: '/operator/sources', body }))
  }
  return (
    <form
      class="card entry-form"
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        void submit.run(() => add(form))
      }}
    >
      <h2>{t.source.title}</h2>
      <p class="soft">{t.source.lead}</p>
      <SelectField label={t.source.type} value={type} onChange={({ currentTarget }) => setType(currentTarget.value)}>
        <option value="feed">{t.source.feed}</option>
        {Object.entries(SYNCS).map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t.source.name}
        name="name"
        required={true}
        pattern="[\w\-]+"
        maxLength={64}
        hint={t.source.nameHint}
      />
      {type === 'feed' ? (
        <>
          <TextField label={t.source.address} name="from" type="url" required={true} placeholder="https://" />
          <FormatField automatic="native" />
          <ModeField />
        </>
      ) : (
        <TextField label={t.source.countries} name="countries" required={true} placeholder="us, gb" />
      )}
      <SelectField label={t.source.every} name="every">
        {INTERVALS.map((interval) => (
          <option key={interval} value={interval} selected={interval === '1 day'}>
            {t.source.intervals[interval]}
          </option>
        ))}
      </SelectField>
      <ErrorNotice error={submit.error} />
      {added !== undefined && (
        <Notice kind="good" title={t.source.added(added.name)} isUrgent={true}>
          <p>{added.detail}</p>
          <p>{t.source.firstRun}</p>
        </Notice>
      )}
      <Button kind="main" type="submit" isOff={submit.isBusy}>
        {t.source.submit}
      </Button>
      <Command text="marquee sources check" />
    </form>
  )
}

/** The command that does the same. */
function Command({ text }: { text: string }) {
  const t = useMessages(operatorMessages).data
  return (
    <p class="soft">
      {t.command} <code>{text}</code>
    </p>
  )
}

function DemoForm({ isBusy, onStarted }: StartFormProps) {
  const session = useSession()
  const submit = useSubmit()
  const t = useMessages(operatorMessages).data.demo
  const start = async () => {
    await session.fetch({ method: 'POST', path: '/operator/demo' })
    onStarted()
  }
  return (
    <div class="card entry-form">
      <h2>{t.title}</h2>
      <p class="soft">{t.lead}</p>
      <ErrorNotice error={submit.error} />
      <Button isOff={submit.isBusy || isBusy} onClick={() => void submit.run(start)}>
        {t.submit}
      </Button>
      <Command text="marquee demo --import" />
    </div>
  )
}

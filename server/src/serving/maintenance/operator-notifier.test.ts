import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { OperatorNotifier } from './operator-notifier.ts'

const SECRET = `whsec_${Buffer.from('a secret of the operator').toString('base64')}`
const GIGABYTE = 1024 ** 3

interface Sent {
  readonly headers: Record<string, string>
  readonly body: string
}

/** A notifier whose address fails a number of times first. */
function aNotifier(failures = 0, isSigned = true) {
  const sent: Sent[] = []
  const logged: object[] = []
  const log = (fields: object) => void logged.push(fields)
  const space = { free: 100 * GIGABYTE, total: 200 * GIGABYTE }
  const notifier = new OperatorNotifier({
    url: 'https://operator.example/hook',
    secret: isSigned ? SECRET : undefined,
    dataDir: '/data',
    send: async (_url, headers, body) => {
      sent.push({ headers, body })
      return sent.length > failures ? { status: 204 } : { status: 500 }
    },
    logger: { info: log, warn: log, error: log } as never,
    timer: { now: () => 0, sleep: async () => {} },
    freeSpace: () => space,
  })
  const types = () => sent.map(({ body }) => JSON.parse(body).type)
  return { notifier, sent, logged, space, types }
}

it('signs what it sends, and sends it again with the same id until it is taken', async () => {
  const { notifier, sent } = aNotifier(2)
  await notifier.notify('webhook_paused', 'The webhook w is paused.', { webhook: 'w' })
  expect(sent).toHaveLength(3)
  expect(new Set(sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  const [first] = sent as [Sent]
  expect(new Webhook(SECRET).verify(first.body, first.headers)).toMatchObject({
    type: 'operator.webhook_paused',
    data: { message: 'The webhook w is paused.', webhook: 'w' },
  })
})

it('gives up after some attempts, and logs that', async () => {
  const { notifier, sent, logged } = aNotifier(99, false)
  await notifier.notify('disk_full', 'Full.')
  expect(sent).toHaveLength(8)
  expect(sent[0]?.headers).not.toHaveProperty('webhook-signature')
  expect(logged).toMatchObject([{ event: 'operator_notify_failed', notification: 'disk_full' }])
})

it('forwards the log of the schedule, and sends failures, refused snapshots and stale sources', async () => {
  const { notifier, logged, types } = aNotifier()
  const log = notifier.watch({ info: (fields) => void logged.push(fields), warn: () => {}, error: () => {} })
  log.info({ event: 'source_run_finished', source: 'a' }, 'a scheduled run finished')
  log.error({ event: 'source_run_failed', source: 'a', problem: 'no answer' }, 'a scheduled run failed')
  log.error(
    { event: 'source_run_failed', source: 'a', problem: 'The feed was refused (shrunk)' },
    'a scheduled run failed',
  )
  log.warn({ event: 'source_stale', source: 'a' }, 'a source is stale')
  await expect.poll(types).toEqual(['operator.source_run_failed', 'operator.snapshot_refused', 'operator.source_stale'])
  expect(logged).toEqual([{ event: 'source_run_finished', source: 'a' }])
})

it('tells of a full disk once, and once when there is room again', async () => {
  const { notifier, space, types } = aNotifier()
  notifier.checkDisk()
  space.free = GIGABYTE
  notifier.checkDisk()
  notifier.checkDisk()
  space.free = 50 * GIGABYTE
  notifier.checkDisk()
  await expect.poll(types).toEqual(['operator.disk_full', 'operator.disk_recovered'])
})

import { describe, expect, it } from 'vitest'
import { Browser } from '../../../test/support/browser.ts'
import { aMovie, aSnapshot } from '../../../test/support/builders.ts'
import { eventually } from '../../../test/support/marquee-process.ts'
import { type StandInAnswer, StandInServer } from '../../../test/support/stand-in-server.ts'
import { aTestService } from '../../../test/support/test-service.ts'
import type { AuditEntry } from '../../accounts/store/account-tables.ts'

/** Serves one feed, and nothing else. */
class FeedServer extends StandInServer {
  private readonly feed: string

  constructor(feed: string) {
    super()
    this.feed = feed
  }

  protected answer({ pathname }: URL): StandInAnswer {
    return pathname === '/feed.ndjson' ? { body: this.feed } : { status: 404, body: {} }
  }
}

describe('admins fill the catalog', async () => {
  const service = await aTestService()
  const boss = { email: 'filler@example.com', password: 'filler of everything here' }
  await service.accounts.users.create({ ...boss, role: 'admin', plan: 'unlimited' }, service.act)
  const admin = new Browser(service)
  await admin.send('POST', '/sign-in', boss)
  const pieceHeaders = ({ cookie, csrf }: Browser) => ({
    ...{ cookie, 'x-csrf-token': csrf, 'sec-fetch-site': 'same-origin', accept: 'application/problem+json' },
    'content-type': 'application/octet-stream',
  })
  const sendPiece = (id: string, offset: number, piece: string, headers = pieceHeaders(admin)) =>
    service.raw(`/platform/operator/uploads/${id}?offset=${offset}`, headers, 'PUT', piece)
  const auditActions = async () =>
    (await admin.send('GET', '/operator/audit')).body.entries.map(({ action, target }: AuditEntry) => [action, target])
  const feed = (records: Iterable<object>) => [...records].map((record) => `${JSON.stringify(record)}\n`).join('')
  const ended = () =>
    eventually(async () => {
      const [job] = (await admin.send('GET', '/operator/jobs')).body.jobs
      return job.state === 'running' ? undefined : job
    })

  it('with an uploaded file, in pieces, by the import command, and see its progress and its report', async () => {
    const text = feed(aSnapshot(aMovie({ id: '1' }), aMovie({ id: '2', imdbId: 'nonsense' })))
    const { status, body: upload } = await admin.send('POST', '/operator/uploads', { bytes: text.length })
    expect([status, upload.pieceBytes]).toEqual([201, 512 * 1024])
    expect((await sendPiece(upload.id, 0, text.slice(0, 100))).body).toEqual({ bytes: 100 })
    const again = await sendPiece(upload.id, 0, text.slice(0, 100))
    expect([again.error.code, again.body.detail]).toEqual(['invalid_body', expect.stringContaining('has 100 bytes')])
    expect((await sendPiece(upload.id, 100, text.slice(100))).body).toEqual({ bytes: text.length })
    const request = { upload: upload.id, name: '../catalog.ndjson', source: 'acme' }
    const started = await admin.send('POST', '/operator/imports', request)
    expect([started.status, started.body]).toMatchObject([
      202,
      { kind: 'import', what: 'catalog.ndjson', state: 'running' },
    ])
    expect((await admin.send('POST', '/operator/demo')).error.code).toBe('conflict')
    const job = await ended()
    expect(job).toMatchObject({
      state: 'done',
      report: { source: 'acme', shows: 2, complete: true, noticeList: [{ severity: 'warning' }] },
    })
    expect(await auditActions()).toContainEqual(['catalog.imported', 'catalog.ndjson'])
    expect((await admin.send('POST', '/operator/imports', request)).error.code).toBe('conflict')
    expect((await admin.send('POST', '/operator/removals', { source: 'acme' })).status).toBe(202)
    expect(await ended()).toMatchObject({ kind: 'remove', what: 'acme', state: 'done', report: { deleted: 2 } })
    expect((await auditActions())[0]).toEqual(['source.removed', 'acme'])
  })

  it('not with what is too large, has another place or is none', async () => {
    const tooLarge = await admin.send('POST', '/operator/uploads', { bytes: 5e9 })
    expect(tooLarge.body.detail).toContain('4,295 MB')
    const { id } = (await admin.send('POST', '/operator/uploads', { bytes: 10 })).body
    expect((await sendPiece(id, 0, 'x'.repeat(512 * 1024 + 1))).error.code).toBe('body_too_large')
    expect((await sendPiece('..%2f..%2faccounts', 0, 'x')).error.code).toBe('invalid_body')
    expect((await sendPiece(id, 5, 'x')).error.code).toBe('invalid_body')
    expect((await sendPiece(id, Number.NaN, 'x')).error.code).toBe('invalid_body')
    expect((await admin.send('POST', '/operator/imports', { upload: id, name: 'x', format: '--force' })).status).toBe(
      400,
    )
  })

  it('with a source on the schedule, which is tried first', async () => {
    const server = await new FeedServer(feed(aSnapshot(aMovie({ id: '1' })))).listen()
    const entry = { name: 'acme', from: `${server.address}/feed.ndjson`, every: '6 hours' }
    const missing = await admin.send('POST', '/operator/sources', { ...entry, from: `${server.address}/none` })
    expect([missing.status, missing.body.detail]).toEqual([400, expect.stringContaining('404')])
    const unknown = await admin.send('POST', '/operator/sources', { ...entry, every: 'often' })
    expect(unknown.body.detail).toContain('"every" is "often"')
    const added = await admin.send('POST', '/operator/sources', entry)
    expect([added.status, added.body.detail]).toEqual([201, expect.stringContaining('the address answers')])
    expect((await admin.send('POST', '/operator/sources', entry)).body.detail).toContain('given twice')
    const keyless = { name: 'tmdb', sync: 'tmdb', countries: ['us'], every: '1 day' }
    expect((await admin.send('POST', '/operator/sources', keyless)).body.detail).toContain('TMDB_TOKEN is not set')
    for (const action of ['pause', 'resume', 'run']) {
      expect((await admin.send('POST', '/operator/sources/acme', { action })).status).toBe(204)
    }
    const { schedule } = (await admin.send('GET', '/operator/status')).body
    expect(schedule.sources).toMatchObject([{ name: 'acme', every: 21_600, runRequestedAt: service.now }])
    expect((await admin.send('DELETE', '/operator/sources/acme')).status).toBe(204)
    expect((await admin.send('DELETE', '/operator/sources/acme')).error.code).toBe('not_found')
    const actions = ['unscheduled', 'run', 'resumed', 'paused', 'added'].map((what) => [`source.${what}`, 'acme'])
    expect((await auditActions()).slice(0, 5)).toEqual(actions)
  })

  it('not with files and variables of the machine', async () => {
    const entry = { name: 'local', every: '1 day' }
    for (const more of [
      { from: '/etc/passwd' },
      { from: 'https://acme.example', headers: { 'X-Stolen': '$DATABASE_URL' } },
      { from: 'https://acme.example', format: 'csv', options: { mapping: '/etc/passwd' } },
      { sync: 'v4', from: 'https://acme.example' },
    ]) {
      const refused = await admin.send('POST', '/operator/sources', { ...entry, ...more })
      expect([refused.status, refused.error.code]).toEqual([400, 'invalid_body'])
    }
  })

  it('nobody else', async () => {
    const developer = new Browser(service)
    await developer.send('POST', '/sign-up', { email: 'piet@example.com', password: 'the password of piet' })
    const bodies = {
      uploads: { bytes: 1 },
      imports: { upload: 'x', name: 'x' },
      demo: undefined,
      removals: { source: 'test' },
      sources: { name: 'x', from: 'https://acme.example', every: '1 day' },
    }
    for (const [path, body] of Object.entries(bodies)) {
      expect((await developer.send('POST', `/operator/${path}`, body)).error.code).toBe('not_allowed')
    }
    expect((await developer.send('GET', '/operator/jobs')).error.code).toBe('not_allowed')
    expect((await developer.send('DELETE', '/operator/sources/x')).error.code).toBe('not_allowed')
    // Refused before the piece is read.
    const piece = 'x'.repeat(600 * 1024)
    expect((await sendPiece('x', 0, piece, pieceHeaders(developer))).error.code).toBe('not_allowed')
    const { 'x-csrf-token': _, ...forged } = pieceHeaders(admin)
    expect((await sendPiece('x', 0, piece, forged as never)).error.code).toBe('cross_site_request')
  })
})

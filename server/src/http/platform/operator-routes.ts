import type { Account, AuditAction } from '../../accounts/store/account-tables.ts'
import { buildUsageReport } from '../../accounts/usage/usage-report.ts'
import { UserError } from '../../lib/errors.ts'
import Type from '../../lib/json-schema.ts'
import { ApiError } from '../exchange/errors.ts'
import { VISITOR_KEY_ID } from '../request/visitor-token.ts'
import { actAs } from './account-routes.ts'
import { definePlatformRoute, type JobRequest, type PlatformDeps, type SourceAction } from './platform-route.ts'
import { parseUsagePeriod } from './usage-routes.ts'

const MAX_AUDIT_ENTRIES = 200

/** The largest piece of an upload: below a megabyte, the usual limit of proxies. */
export const MAX_PIECE_BYTES = 512 * 1024

const strict = { additionalProperties: false }
const sourceName = Type.String({ minLength: 1, maxLength: 64 })
const mode = Type.Union([Type.Literal('snapshot'), Type.Literal('delta')])
const format = Type.String({ pattern: '^[a-z][a-z0-9-]{1,31}$' })

const newImport = Type.Object(
  {
    upload: Type.String({ maxLength: 64 }),
    name: Type.String({ minLength: 1, maxLength: 255 }),
    source: Type.Optional(sourceName),
    mode: Type.Optional(mode),
    format: Type.Optional(format),
    isTrial: Type.Optional(Type.Boolean()),
  },
  strict,
)

/**
 * An entry of `sources.json`. Only what cannot read files or variables of the machine: an admin of the pages is not always
 * somebody who may log in to it. So there are no paths, no headers, no options, and no copies from addresses with a key.
 */
const newSource = Type.Union([
  Type.Object(
    {
      name: sourceName,
      every: Type.String({ maxLength: 32 }),
      from: Type.String({ pattern: '^[Hh][Tt][Tt][Pp][Ss]?://', maxLength: 2_000 }),
      format: Type.Optional(format),
      mode: Type.Optional(mode),
    },
    strict,
  ),
  Type.Object(
    {
      name: sourceName,
      every: Type.String({ maxLength: 32 }),
      sync: Type.Union([Type.Literal('tmdb'), Type.Literal('watchmode'), Type.Literal('tvmaze')]),
      countries: Type.Array(Type.String({ pattern: '^[A-Za-z]{2}$' }), { minItems: 1, maxItems: 100 }),
    },
    strict,
  ),
])

const SOURCE_ACTIONS: Readonly<Record<SourceAction, AuditAction>> = {
  run: 'source.run',
  pause: 'source.paused',
  resume: 'source.resumed',
}

const JOB_ACTIONS: Readonly<Record<JobRequest['kind'], AuditAction>> = {
  import: 'catalog.imported',
  demo: 'catalog.demo',
  remove: 'source.removed',
}

/** The routes of admins about the service as a whole: status, checks, usage and audit log. */
export function createOperatorRoutes({ accounts, operator }: PlatformDeps) {
  const { keys, usage, audit } = accounts

  /** Starts a job, and puts it into the audit log. */
  async function startJob(request: JobRequest, by: Account, now: number) {
    const job = await refuseUserErrors(() => operator.startJob(request))
    if ('refused' in job) throw new ApiError('conflict', `${job.refused}.`)
    const { source, mode, format } = request as Partial<Extract<JobRequest, { kind: 'import' }>>
    await audit.record(actAs(by, now), JOB_ACTIONS[job.kind], job.what, {
      ...(request.kind === 'import' && { source, mode, format, ...(request.isTrial === true && { isTrial: true }) }),
    })
    return { status: 202, body: job }
  }

  return [
    definePlatformRoute({
      method: 'GET',
      path: '/operator/status',
      caller: 'admin',
      handle: async () => ({ body: await operator.status() }),
    }),
    definePlatformRoute({
      method: 'GET',
      path: '/operator/checks',
      caller: 'admin',
      handle: async () => ({ body: await operator.checks() }),
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/operator/sources/:name',
      caller: 'admin',
      body: Type.Object(
        { action: Type.Union([Type.Literal('run'), Type.Literal('pause'), Type.Literal('resume')]) },
        strict,
      ),
      async handle({ params, body, account, now }) {
        const name = params.name as string
        if (!(await operator.controlSource(name, body.action))) throw unknownSource(name)
        await audit.record(actAs(account, now), SOURCE_ACTIONS[body.action], name)
        return {}
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/operator/sources',
      caller: 'admin',
      body: newSource,
      async handle({ body, account, now }) {
        const { isReady, detail } = await refuseUserErrors(() => operator.addSource(body))
        if (!isReady) throw new ApiError('invalid_body', `The source is not ready, so it was not added: ${detail}.`)
        const { name, ...entry } = body
        await audit.record(actAs(account, now), 'source.added', name, entry)
        return { status: 201, body: { name, detail } }
      },
    }),
    definePlatformRoute({
      method: 'DELETE',
      path: '/operator/sources/:name',
      caller: 'admin',
      async handle({ params, account, now }) {
        const name = params.name as string
        if (!(await refuseUserErrors(() => operator.unscheduleSource(name)))) throw unknownSource(name)
        await audit.record(actAs(account, now), 'source.unscheduled', name)
        return {}
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/operator/uploads',
      caller: 'admin',
      body: Type.Object({ bytes: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }, strict),
      async handle({ body }) {
        const id = await refuseUserErrors(() => operator.createUpload(body.bytes))
        return { status: 201, body: { id, pieceBytes: MAX_PIECE_BYTES } }
      },
    }),
    definePlatformRoute({
      method: 'PUT',
      path: '/operator/uploads/:id',
      caller: 'admin',
      takesPiece: true,
      async handle({ params, query, body }) {
        const offset = Number(query.get('offset') ?? Number.NaN)
        if (!Buffer.isBuffer(body) || !Number.isSafeInteger(offset)) {
          throw new ApiError('invalid_body', 'A piece is application/octet-stream, and ?offset= says where it begins.')
        }
        return {
          body: { bytes: await refuseUserErrors(() => operator.appendUpload(params.id as string, offset, body)) },
        }
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/operator/imports',
      caller: 'admin',
      body: newImport,
      handle: ({ body, account, now }) => startJob({ kind: 'import', ...body }, account, now),
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/operator/demo',
      caller: 'admin',
      handle: ({ account, now }) => startJob({ kind: 'demo' }, account, now),
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/operator/removals',
      caller: 'admin',
      body: Type.Object({ source: sourceName }, strict),
      handle: ({ body, account, now }) => startJob({ kind: 'remove', ...body }, account, now),
    }),
    definePlatformRoute({
      method: 'GET',
      path: '/operator/jobs',
      caller: 'admin',
      handle: async () => ({ body: { jobs: await operator.jobs() } }),
    }),
    definePlatformRoute({
      method: 'GET',
      path: '/operator/usage',
      caller: 'admin',
      handle({ query, now }) {
        const keyIds = [...keys.list().map(({ id }) => id), VISITOR_KEY_ID]
        return { body: buildUsageReport(usage, { keyIds, ...parseUsagePeriod(query, now) }) }
      },
    }),
    definePlatformRoute({
      method: 'GET',
      path: '/operator/audit',
      caller: 'admin',
      handle() {
        const entries = []
        for (const entry of audit.newestFirst()) {
          entries.push(entry)
          if (entries.length === MAX_AUDIT_ENTRIES) break
        }
        return { body: { entries } }
      },
    }),
  ]
}

function unknownSource(name: string): ApiError {
  return new ApiError('not_found', `There is no scheduled source ${JSON.stringify(name)}.`)
}

/** Answers with what an admin can mend; other errors stay failures of the service. */
async function refuseUserErrors<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof UserError) throw new ApiError('invalid_body', `${error.message}.`)
    throw error
  }
}

import type { RouteHandlerMethod } from 'fastify'
import { checkRequest } from './check-request.ts'
import { fieldsOf } from './header-fields.ts'
import type { RequestLog } from './request-log.ts'
import type { Responder } from './responder.ts'

const FIELDS = fieldsOf(['Content-Type', 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control', 'no-store'])

/** The handler of the page that Prometheus reads. */
export function metricsHandler(responder: Responder, log: RequestLog, read: () => Promise<string>): RouteHandlerMethod {
  return async function handle(request, reply) {
    const { raw: req, id } = request
    log.watch(req, reply.raw, id)
    reply.hijack()
    try {
      checkRequest(req)
      const fields = responder.fields(req, id) + FIELDS
      responder.send(req, reply.raw, 200, fields, { bytes: Buffer.from(await read()) })
    } catch (error) {
      responder.fail(req, reply.raw, id, error)
    }
  }
}

import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Country, Genre } from 'marquee-client'
import type { KeySource } from '../../accounts/store/account-tables.ts'
import type { Clock } from '../../lib/clock.ts'
import { API_VERSION } from '../api/openapi.ts'
import { ApiError } from '../exchange/errors.ts'
import { checkRequest } from '../exchange/exchange.ts'
import { type AllowedMethods, BASE_PATHS, type KeyHeaders } from '../exchange/headers.ts'
import type { RequestLog } from '../exchange/request-log.ts'
import { type Authenticate, createAuthenticator } from '../request/authenticate.ts'
import { MAX_BODY_BYTES } from '../response/error-response.ts'
import type { Responder } from '../response/responder.ts'
import { type CallApi, describeCountries, describeGenres, describeServices, TOOLS } from './tools.ts'

const INSTRUCTIONS =
  'Says which movies and series can be watched on which streaming services in which countries. Countries are two-letter ' +
  'codes; ids of services and genres are in the resources.'

const RESOURCES = [
  { uri: 'marquee://countries', name: 'countries', title: 'Countries', description: 'The countries that are known.' },
  { uri: 'marquee://genres', name: 'genres', title: 'Genres', description: 'The genres and their ids.' },
]

const TEMPLATE = {
  uriTemplate: 'marquee://services/{country}',
  name: 'services',
  title: 'Services of a country',
  description: 'The streaming services of a country and their ids, the most popular first.',
}

/** An error of the API whose message tells the assistant what to do. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
}

/**
 * Creates a server of the Model Context Protocol, which serves one connection. The SDK is loaded by the first call: most
 * services are never asked by an assistant.
 */
export async function createMcpServer(call: CallApi): Promise<Server> {
  const [{ Server }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  const { ErrorCode, McpError } = types
  const capabilities = { tools: {}, resources: {} }
  const server = new Server({ name: 'marquee', version: API_VERSION }, { capabilities, instructions: INSTRUCTIONS })

  server.setRequestHandler(types.ListToolsRequestSchema, () => ({
    tools: TOOLS.map(({ name, title, description, inputSchema }) => ({
      name,
      title,
      description,
      inputSchema,
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  }))
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) => {
    const tool = TOOLS.find(({ name }) => name === params.name)
    if (tool === undefined) {
      const names = TOOLS.map(({ name }) => name).join(', ')
      throw new McpError(ErrorCode.InvalidParams, `There is no tool "${params.name}"; the tools are ${names}`)
    }
    try {
      return { content: [{ type: 'text', text: await tool.run(params.arguments ?? {}, call) }] }
    } catch (error) {
      if (error instanceof AnswerError) return { content: [{ type: 'text', text: error.message }], isError: true }
      throw error
    }
  })
  server.setRequestHandler(types.ListResourcesRequestSchema, () => ({
    resources: RESOURCES.map((resource) => ({ ...resource, mimeType: 'text/plain' })),
  }))
  server.setRequestHandler(types.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ ...TEMPLATE, mimeType: 'text/plain' }],
  }))
  server.setRequestHandler(types.ReadResourceRequestSchema, async ({ params: { uri } }) => {
    try {
      const text = await readResource(uri, call)
      if (text !== undefined) return { contents: [{ uri, mimeType: 'text/plain', text }] }
    } catch (error) {
      if (error instanceof AnswerError) throw new McpError(ErrorCode.InvalidParams, error.message)
      throw error
    }
    const known = [...RESOURCES.map((resource) => resource.uri), TEMPLATE.uriTemplate].join(', ')
    throw new McpError(ErrorCode.InvalidParams, `There is no resource "${uri}"; the resources are ${known}`)
  })
  return server
}

async function readResource(uri: string, call: CallApi): Promise<string | undefined> {
  const none = new URLSearchParams()
  if (uri === 'marquee://genres') return describeGenres((await call('/genres', none)) as Genre[])
  if (uri === 'marquee://countries') {
    // An array, or with MARQUEE_COUNTRIES=map a map.
    return describeCountries(Object.values((await call('/countries', none)) as Record<string, Country>))
  }
  const [, country] = /^marquee:\/\/services\/(.+)$/.exec(uri) ?? []
  if (country === undefined) return undefined
  return describeServices((await call(`/countries/${encodeURIComponent(country)}`, none)) as Country)
}

const MCP_PATH = '/mcp'

interface McpOptions extends Omit<Parameters<typeof createAuthenticator>[1], 'visitorTokens'> {
  readonly names: KeyHeaders
  readonly clock: Clock
  readonly allowed: Pick<AllowedMethods, 'add'>
  readonly responder: Pick<Responder, 'sendError'>
  readonly log: RequestLog
}

/**
 * Adds `/mcp`: the Model Context Protocol over streamable HTTP, without sessions, so that any worker and node answers. Every
 * message needs a key. A tool sends a request to the API with that key, which counts it like any other.
 */
export function addMcpRoute(app: FastifyInstance, options: McpOptions): void {
  const { names, clock, allowed, responder, log } = options
  const deps = { ...options, visitorTokens: undefined }
  const authenticators: Record<KeySource, Authenticate> = {
    direct: createAuthenticator('direct', deps),
    marketplace: createAuthenticator('marketplace', deps),
  }
  const marketplaceHeaders = names.marketplace.map((name) => name.toLowerCase())

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => done(null, body),
    )
    scope.addContentTypeParser('*', (_request, _body, done) =>
      done(new ApiError('invalid_body', 'The Content-Type must be application/json.')),
    )
    scope.setErrorHandler((error, request, reply) => responder.sendError(request.raw, reply.raw, request.id, error))
    scope.route({
      method: 'POST',
      url: MCP_PATH,
      onRequest: async (request, reply) => {
        log.logOnFinish(request.raw, reply.raw, request.id)
        checkRequest(request.raw)
        useBearerKey(request)
        authenticators[findBase(request)](request.raw, clock())
      },
      handler: answer,
    })
  })
  allowed.add(MCP_PATH, 'POST')

  /** Many assistants can only send a key as a bearer token. */
  function useBearerKey({ raw: { headers } }: FastifyRequest): void {
    const [, token] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
    const hasKey = [names.direct.toLowerCase(), ...marketplaceHeaders].some((name) => headers[name] !== undefined)
    if (token !== undefined && !hasKey) headers[names.direct.toLowerCase()] = token
  }

  function findBase({ raw: { headers } }: FastifyRequest): KeySource {
    return marketplaceHeaders.some((name) => headers[name] !== undefined) ? 'marketplace' : 'direct'
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { WebStandardStreamableHTTPServerTransport } = await import(
      '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
    )
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    const server = await createMcpServer(createCaller(request))
    // The SDK is not compiled with exactOptionalPropertyTypes.
    await server.connect(transport as Transport)
    try {
      const headers = new Headers()
      for (const name of ['accept', 'content-type', 'mcp-protocol-version']) {
        const value = request.headers[name]
        if (typeof value === 'string') headers.set(name, value)
      }
      const response = await transport.handleRequest(
        new Request(`http://localhost${MCP_PATH}`, { method: 'POST', headers, body: request.body as string }),
      )
      const type = response.headers.get('content-type')
      if (type !== null) reply.type(type)
      const fixed = { 'x-request-id': request.id, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
      return reply
        .code(response.status)
        .headers(fixed)
        .send(await response.text())
    } finally {
      await server.close()
    }
  }

  /** Sends requests to the API within this process, with the key and the origin of a message. */
  function createCaller(message: FastifyRequest): CallApi {
    const base = BASE_PATHS[findBase(message)]
    const headers: Record<string, string> = { accept: 'application/json', prefer: 'handling=strict' }
    for (const name of [names.direct.toLowerCase(), ...marketplaceHeaders, 'origin', 'referer']) {
      const value = message.raw.headers[name]
      if (typeof value === 'string') headers[name] = value
    }
    return async (path, parameters) => {
      const response = await app.inject({ method: 'GET', url: `${base}${path}?${parameters}`, headers })
      const body = JSON.parse(response.body)
      if (response.statusCode === 200) return body
      throw new AnswerError(body.message)
    }
  }
}

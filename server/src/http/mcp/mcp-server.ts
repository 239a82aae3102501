import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Country, Genre } from 'marquee-client'
import { API_VERSION } from '../api/openapi.ts'
import { describeCountries, describeGenres, describeServices } from './descriptions.ts'
import { type CallApi, TOOLS } from './tools.ts'

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

import type { Command } from 'commander'
import { AnswerError, createMcpServer } from '../../http/mcp/mcp-server.ts'
import type { CallApi } from '../../http/mcp/tools.ts'
import { addServiceOptions, resolveService, type ServiceAccess, type ServiceFlags } from './search-commands.ts'

/** An assistant waits for its tools, and gives up by itself after about a minute. */
const REQUEST_TIMEOUT_MS = 30_000

/** Adds `marquee mcp`. */
export function addMcpCommand(program: Command): void {
  const command = program
    .command('mcp')
    .description('let an assistant ask a running service: the Model Context Protocol on standard input and output')
  addServiceOptions(command).action(async (flags: ServiceFlags) => {
    const access = resolveService(flags)
    const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
    const server = await createMcpServer(createCaller(access))
    await server.connect(new StdioServerTransport())
    // An assistant ends its servers by closing their input.
    process.stdin.once('end', () => void server.close())
  })
}

/** Sends requests to the service over HTTP. */
function createCaller({ address, key, keyPrefix, marketplace }: ServiceAccess): CallApi {
  const isDirect = key.startsWith(keyPrefix)
  const base = isDirect ? `${address}/v4` : address
  const headers = {
    accept: 'application/json',
    prefer: 'handling=strict',
    [isDirect ? 'x-api-key' : `x-${marketplace}-api-key`]: key,
  }
  return async (path, parameters) => {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    const response = await fetch(`${base}${path}?${parameters}`, { headers, signal }).catch(() => {
      throw new AnswerError(`The service at ${address} cannot be reached; it is started with \`marquee serve\`.`)
    })
    const text = await response.text()
    const body = parseBody(text)
    if (response.ok && body !== undefined) return body
    const message = (body as { message?: unknown } | undefined)?.message
    throw new AnswerError(
      typeof message === 'string' ? message : `What answers at ${address} is not a Marquee service.`,
    )
  }
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

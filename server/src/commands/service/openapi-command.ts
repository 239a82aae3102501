import type { Command } from 'commander'
import { readSettings } from '../../config.ts'

/** Adds `marquee openapi`. */
export function addOpenApiCommand(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI document of the service')
    .action(async () => {
      const { openApiDocument } = await import('../../http/api/openapi.ts')
      process.stdout.write(`${JSON.stringify(openApiDocument(readSettings({})), null, 2)}\n`)
    })
}

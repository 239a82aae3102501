import type { ExportCatalogParameters, ExportHead, ExportLine, ExportRemoval, Show } from './api-types.ts'
import { ConnectionError } from './errors.ts'
import { Mirror, type MirrorOptions, type MirrorParameters } from './mirror.ts'
import type { CallOptions } from './options.ts'
import type { Requester } from './requester.ts'
import { parseExportLine } from './response.ts'

/** What an export yields: its head first, then shows and removals. */
export type Exported = ExportHead | ExportRemoval | Show

/** All of a country at once. */
export class Catalog {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /**
   * All shows of a country or, with `since`, those that were altered or left after an earlier export. The head comes
   * first, with the token for the next time. An export that is cut off goes on where it was; shows may then come twice,
   * and the later one counts. The timeout holds for each part that arrives, not for the whole.
   */
  async *export(
    parameters: ExportCatalogParameters,
    options: CallOptions = {},
  ): AsyncGenerator<Exported, void, undefined> {
    let { cursor } = parameters
    let isFirstPart = true
    for (let failures = 0; ; ) {
      let end: Extract<ExportLine, { kind: 'end' }> | undefined
      try {
        for await (const text of this.#requester.lines('/catalog/export', { ...parameters, cursor }, options)) {
          const line = parseExportLine(text, this.#requester.credentials.base)
          if (!('kind' in line)) yield line
          else if (line.kind === 'checkpoint') [cursor, failures] = [line.cursor, 0]
          else if (line.kind === 'remove') yield line
          else if (line.kind === 'end') end = line
          else if (isFirstPart) {
            isFirstPart = false
            yield line
          }
        }
        if (end === undefined) {
          const url = `${this.#requester.credentials.base}/catalog/export`
          throw new ConnectionError(`${url} ended before its last line`, url, false)
        }
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error
        failures++
        await this.#requester.pauseBefore(failures, error, options)
        continue
      }
      if (end.complete) return
      cursor = end.cursor
    }
  }

  /**
   * A copy of a country in memory that can be kept in step with the service. Empty, or the copy that was stored before,
   * until its first `sync()`.
   */
  mirror(parameters: MirrorParameters, options?: MirrorOptions): Mirror {
    return new Mirror((more, call) => this.export({ ...parameters, ...more }, call), options)
  }
}

import { connect } from 'node:net'
import type { Scenario } from '../context.ts'
import { formatMessage } from '../lib/http.ts'
import { pinToCore } from '../lib/machine.ts'
import { logProgress } from '../lib/output.ts'
import { compareTargets, median, type TargetSet } from '../measure/compare.ts'
import { Limit } from '../targets/limit.ts'
import { Marquee } from '../targets/marquee.ts'
import { type ApiRequest, apiRequest } from '../workloads/api-request.ts'
import { filterSearches } from '../workloads/filters.ts'

/** Exports of a whole country from one process: their rate, and what they do to other requests. */
export const exportScenario: Scenario = {
  name: 'export',
  description: 'exports of a country, and filter searches while they run',
  async run(context) {
    const { data, sample } = await context.catalog()
    await context.stopTargets()
    const marquee = await Marquee.start(data)
    const targets: TargetSet = { marquee, limit: await Limit.start(), peers: [] }
    const exported = apiRequest('export', '/catalog/export', { country: 'us' })
    const loop = new ExportLoop(marquee, exported)
    if (context.cores !== undefined) {
      // This process takes the exports, which must not cost the server's core.
      pinToCore([process.pid], context.cores.spare ?? context.cores.loadGenerator)
      pinToCore(marquee.pids, context.cores.server)
    }
    try {
      const rates: number[] = []
      let bytes = 0
      for (let round = 0; round < context.rounds; round++) {
        const startedAt = performance.now()
        bytes = await download(marquee, exported)
        rates.push(bytes / ((performance.now() - startedAt) / 1000))
        logProgress(`export: ${(rates.at(-1)! / 1e6).toFixed(0)} MB/s`)
      }
      const requests = await filterSearches(targets.marquee, sample)
      const options = context.measureOptions()
      const idle = await compareTargets(options, targets, 'Filter searches, no export', requests)
      loop.start()
      const exporting = await compareTargets(options, targets, 'Filter searches during an export', requests)
      return {
        kind: 'export',
        bytes,
        bytesPerSecond: median(rates),
        idle: idle.results[1]!,
        exporting: exporting.results[1]!,
      }
    } finally {
      await loop.stop()
      await Promise.all([targets.marquee.stop(), targets.limit.stop()])
    }
  },
}

/** Where an export is read to. Nothing of it is kept. */
const READ_BUFFER = Buffer.alloc(1024 * 1024)

/**
 * Downloads an export uncompressed and returns its size, header included. The bytes are read from the socket as they are, so
 * that the client costs little beside the load generator.
 */
function download(marquee: Marquee, exported: ApiRequest, signal?: AbortSignal): Promise<number> {
  const request = marquee.request(exported)
  const message = formatMessage({ ...request, headers: { ...request.headers, Connection: 'close' } })
  return new Promise((resolve, reject) => {
    let bytes = 0
    let isFound = false
    const callback = (length: number) => {
      if (bytes === 0) isFound = READ_BUFFER.toString('latin1', 0, 12) === 'HTTP/1.1 200'
      bytes += length
      return true
    }
    const onread = { buffer: READ_BUFFER, callback }
    const socket = connect({ host: '127.0.0.1', port: marquee.port, onread, ...(signal && { signal }) })
    socket.on('error', reject)
    socket.on('close', () => (isFound ? resolve(bytes) : reject(new Error('The export failed'))))
    socket.write(message)
  })
}

/** Exports one after the other, until it is stopped. */
class ExportLoop {
  readonly #marquee: Marquee
  readonly #exported: ApiRequest
  readonly #stop = new AbortController()
  #loop: Promise<void> | undefined

  constructor(marquee: Marquee, exported: ApiRequest) {
    this.#marquee = marquee
    this.#exported = exported
  }

  start(): void {
    this.#loop = this.#run()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#loop
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      await download(this.#marquee, this.#exported, signal).catch((error) => {
        if (!signal.aborted) throw error
      })
    }
  }
}

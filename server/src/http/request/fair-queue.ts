import type { ApiRequest } from '../exchange/exchange.ts'

/** Requests without a key of one client network that are handled in one turn of the event loop. */
const MAX_RUNNING = 2

/** A request that takes longer than this waits for something, so others of its network may start. */
const MAX_SLOT_MS = 250

interface FairQueueOptions {
  /** Whether a request has a key; its plan limits it instead. */
  readonly hasKey: (req: ApiRequest) => boolean
  /** The client network of a request. */
  readonly network: (req: ApiRequest) => string
}

/** Starts a request; `release` is to be called when its response is made. */
type StartRequest = (release: () => void) => void

/** The requests without a key of one client network. */
interface NetworkQueue {
  readonly network: string
  running: number
  readonly waiting: StartRequest[]
}

/**
 * Shares the event loop between client networks. Of one network a few requests without a key are handled in a turn; the
 * others wait for later turns, in order. So a flood of them delays its own network, while the sockets of others are read in
 * between. A network that is alone has all of the processor. At most one request of a connection waits here.
 */
export class FairQueue {
  private readonly hasKey: FairQueueOptions['hasKey']
  private readonly network: FairQueueOptions['network']
  private readonly queues = new Map<string, NetworkQueue>()
  /** Queues with a slot that becomes free in the next turn, once for each slot. */
  private released: NetworkQueue[] = []

  constructor({ hasKey, network }: FairQueueOptions) {
    this.hasKey = hasKey
    this.network = network
  }

  /** Whether a request need not wait for its turn. */
  isExempt(req: ApiRequest): boolean {
    return this.hasKey(req)
  }

  /** Starts a request now, or when it is the turn of its network. */
  admit(req: ApiRequest, start: StartRequest): void {
    const network = this.network(req)
    let queue = this.queues.get(network)
    if (queue === undefined) {
      queue = { network, running: 0, waiting: [] }
      this.queues.set(network, queue)
    }
    if (queue.running < MAX_RUNNING) this.run(queue, start)
    else queue.waiting.push(start)
  }

  private run(queue: NetworkQueue, start: StartRequest): void {
    queue.running++
    let timer: NodeJS.Timeout | undefined
    let isReleased = false
    const release = () => {
      if (isReleased) return
      isReleased = true
      clearTimeout(timer)
      if (this.released.length === 0) setImmediate(this.startNext)
      this.released.push(queue)
    }
    start(release)
    if (!isReleased) timer = setTimeout(release, MAX_SLOT_MS)
  }

  private readonly startNext = (): void => {
    const { released } = this
    this.released = []
    for (const queue of released) {
      queue.running--
      const next = queue.waiting.shift()
      if (next !== undefined) this.run(queue, next)
      else if (queue.running === 0) this.queues.delete(queue.network)
    }
  }
}

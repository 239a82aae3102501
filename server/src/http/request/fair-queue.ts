import type { ApiRequest } from '../exchange/exchange.ts'

/** Requests without a key of one client network that are handled at the same time. */
const MAX_RUNNING = 2

/** Fewer requests that wait are those of ordinary visitors: a browser has six connections. */
const MIN_FLOOD = 8

/**
 * In a flood, which has one slot only, the slot rests for this many times as long as its request took: a flood has at most an
 * eighth of a worker, and the requests of others never wait for two of its pages.
 */
const REST_FACTOR = 7

/** Shorter rests are added up, longer ones are cut: a request that takes long mostly waits for something. */
const MIN_REST_MS = 2
const MAX_REST_MS = 200

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
  /** Rest that is due, and too short for a timer. */
  restMs: number
}

/**
 * Shares a worker between client networks. Requests without a key of one network take turns in two slots; while many wait,
 * they have one slot, which rests after each request in proportion to the time that it took. So a flood delays its own
 * network, while the sockets of others are read in between. At most one request of a connection waits here.
 */
export class FairQueue {
  private readonly hasKey: FairQueueOptions['hasKey']
  private readonly network: FairQueueOptions['network']
  private readonly queues = new Map<string, NetworkQueue>()
  /** Queues with a slot that becomes free in the next turn of the event loop, once for each slot. */
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
      queue = { network, running: 0, waiting: [], restMs: 0 }
      this.queues.set(network, queue)
    }
    if (queue.running < MAX_RUNNING) this.run(queue, start)
    else queue.waiting.push(start)
  }

  private run(queue: NetworkQueue, start: StartRequest): void {
    queue.running++
    const startedAt = performance.now()
    let timer: NodeJS.Timeout | undefined
    let isReleased = false
    const release = () => {
      if (isReleased) return
      isReleased = true
      clearTimeout(timer)
      this.rest(queue, REST_FACTOR * (performance.now() - startedAt))
    }
    start(release)
    if (!isReleased) timer = setTimeout(release, MAX_SLOT_MS)
  }

  /** Frees a slot after a rest, in the next turn of the event loop at the earliest. */
  private rest(queue: NetworkQueue, ms: number): void {
    queue.restMs = isFlood(queue) ? queue.restMs + ms : 0
    if (queue.restMs >= MIN_REST_MS) {
      setTimeout(() => this.freeSlot(queue), Math.min(queue.restMs, MAX_REST_MS))
      queue.restMs = 0
    } else {
      if (this.released.length === 0) setImmediate(this.freeReleased)
      this.released.push(queue)
    }
  }

  private readonly freeReleased = (): void => {
    const { released } = this
    this.released = []
    for (const queue of released) this.freeSlot(queue)
  }

  private freeSlot(queue: NetworkQueue): void {
    queue.running--
    while (queue.waiting.length > 0 && queue.running < (isFlood(queue) ? 1 : MAX_RUNNING)) {
      this.run(queue, queue.waiting.shift() as StartRequest)
    }
    if (queue.running === 0) this.queues.delete(queue.network)
  }
}

function isFlood({ waiting }: NetworkQueue): boolean {
  return waiting.length >= MIN_FLOOD
}

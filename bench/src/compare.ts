import { setTimeout as sleep } from 'node:timers/promises'
import { agreement } from './agreement.ts'
import type { Ask } from './ask.ts'
import type { Measuring } from './bench.ts'
import type { Contestant } from './contestant.ts'
import type { Limit } from './limit/limit.ts'
import type { Marquee } from './marquee.ts'
import { type Manner, prepare } from './prepare.ts'
import { type HttpRequest, send } from './support/http.ts'
import { load, type Round } from './support/load.ts'
import { pin } from './support/pinning.ts'
import { say } from './support/progress.ts'
import { median, spread } from './support/statistics.ts'
import { figure, type Table } from './support/table.ts'

/** Those who are compared: the limit and Marquee always, peers where they can answer. */
export interface Field {
  readonly limit: Limit
  readonly marquee: Marquee
  readonly peers: readonly Contestant[]
}

/** What came of one contestant: medians over the rounds, and the spread of the rate. */
export interface Standing extends Round {
  readonly contestant: string
  readonly lowest: number
  readonly highest: number
  /** Share of what the limit answers in the same time. */
  readonly ofLimit: number
  /** How far its answers are Marquee's; 1 for Marquee itself, and for the limit, which has none. */
  readonly agreement: number
}

/** A comparison that was made: a table for people, figures for programs. */
export interface Comparison {
  readonly title: string
  readonly standings: readonly Standing[]
}

interface Runner {
  readonly name: string
  readonly port: number
  readonly requests: readonly HttpRequest[]
  readonly agreement: number
  readonly rounds: Round[]
}

/** Puts the same asks to everybody, in turns, and says how they did. */
export async function compare(
  measuring: Measuring,
  field: Field,
  title: string,
  asks: readonly Ask[],
  manner: Manner = {},
): Promise<Comparison> {
  say(`${title}: ${asks.length} requests, tried once by everybody`)
  const runners = await runnersFor(field, asks, manner)
  const { rounds, seconds, warmUpSeconds, connections, cores } = measuring
  if (cores) for (const one of [field.limit, field.marquee, ...field.peers]) pin(one.pids, cores.serving)

  const drive = async ({ port, requests }: Runner, seconds: number) => {
    const round = await load({ port, requests, seconds, connections, core: cores?.asking })
    await settle(port, requests)
    return round
  }
  for (const runner of runners) await drive(runner, warmUpSeconds)
  // In turns: what disturbs the machine for a while then disturbs everybody.
  for (let round = 1; round <= rounds; round++) {
    say(`${title}: round ${round} of ${rounds}`)
    for (const runner of runners) runner.rounds.push(await drive(runner, seconds))
  }
  return { title, standings: standingsOf(runners) }
}

/** Waits until a server has nothing left to do of what was asked last, so that it takes no time from the next one. */
async function settle(port: number, requests: readonly HttpRequest[]): Promise<void> {
  await Promise.all(requests.slice(0, 8).map((request) => send(port, request)))
  await sleep(100)
}

async function runnersFor({ limit, marquee, peers }: Field, asks: readonly Ask[], manner: Manner): Promise<Runner[]> {
  const ours = await prepare(marquee, asks, manner)
  const bare = ours.sizes.map((size) => limit.request(size))
  const runners: Runner[] = [
    { name: limit.name, port: limit.port, requests: bare, agreement: 1, rounds: [] },
    { name: marquee.name, port: marquee.port, requests: ours.requests, agreement: 1, rounds: [] },
  ]
  for (const peer of peers) {
    if (!asks.every(({ kind }) => peer.answers(kind, manner))) continue
    const theirs = await prepare(peer, asks, manner)
    const share = agreement(ours.pages, theirs.pages)
    runners.push({ name: peer.name, port: peer.port, requests: theirs.requests, agreement: share, rounds: [] })
  }
  return runners
}

function standingsOf(runners: readonly Runner[]): Standing[] {
  const rate = ({ rounds }: Runner) => median(rounds.map(({ requestsPerSecond }) => requestsPerSecond))
  const limit = rate(runners[0]!)
  return runners.map((runner) => {
    const { name, rounds, agreement } = runner
    const [lowest, highest] = spread(rounds.map(({ requestsPerSecond }) => requestsPerSecond))
    return {
      contestant: name,
      requestsPerSecond: rate(runner),
      lowest,
      highest,
      ofLimit: rate(runner) / limit,
      p50: median(rounds.map(({ p50 }) => p50)),
      p99: median(rounds.map(({ p99 }) => p99)),
      bytesPerSecond: median(rounds.map(({ bytesPerSecond }) => bytesPerSecond)),
      agreement,
    }
  })
}

/** The comparison as a table, with Marquee's distance to the best peer under it. */
export function tableOf({ title, standings }: Comparison): Table {
  return {
    title,
    head: ['contestant', 'requests/s', 'lowest–highest', 'of the limit', 'p50 ms', 'p99 ms', 'MB/s'],
    rows: standings.map((standing) => [
      standing.contestant,
      figure(standing.requestsPerSecond),
      `${figure(standing.lowest)}–${figure(standing.highest)}`,
      `${figure(standing.ofLimit * 100)} %`,
      figure(standing.p50),
      figure(standing.p99),
      figure(standing.bytesPerSecond / 1e6),
    ]),
    notes: notesOf(standings),
  }
}

function notesOf(standings: readonly Standing[]): string[] {
  const [, marquee, ...peers] = standings
  if (peers.length === 0) return []
  const best = peers.reduce((a, b) => (b.requestsPerSecond > a.requestsPerSecond ? b : a))
  const times = figure(marquee!.requestsPerSecond / best.requestsPerSecond)
  const notes = [`Marquee answers ${times} times as many requests as the best peer, ${best.contestant}.`]
  const same = peers.map(({ contestant, agreement }) => `${contestant} ${figure(agreement * 100)} %`)
  notes.push(`Share of shows that are on the same page as with Marquee: ${same.join(', ')}.`)
  for (const { contestant } of peers.filter(({ agreement }) => agreement < 0.9)) {
    notes.push(`Warning: ${contestant} does not answer quite the same question.`)
  }
  return notes
}

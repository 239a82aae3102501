import { describe, expect, it } from 'vitest'
import { MAX_LOGGED_REQUESTS, type RequestBatch, RequestBuffer, RequestHistory } from './usage-report.ts'

const entry = (at: number, url = '/v4/genres') => ({ at, url, status: 200, ms: 1, requestId: `${at}`, keyId: 'k' })

describe('the request history', () => {
  it('keeps the latest requests of an account, whichever process flushes first', () => {
    const history = new RequestHistory()
    history.add([{ accountId: 'a', entries: [entry(5), entry(7)] }])
    history.add([{ accountId: 'a', entries: [entry(4), entry(6)] }])
    expect(history.list('a').map(({ at }) => at)).toEqual([7, 6, 5, 4])
    const many = Array.from({ length: 250 }, (_, i) => entry(10 + i))
    history.add([{ accountId: 'a', entries: many }])
    expect(history.list('a')).toHaveLength(MAX_LOGGED_REQUESTS)
    expect(history.list('a')[0]?.at).toBe(259)
    expect(history.list('b')).toEqual([])
  })

  it('evicts the account that has been quiet for longest, so that memory is bounded', () => {
    const history = new RequestHistory()
    for (let i = 0; i < 2_000; i++) {
      history.add([
        { accountId: `a${i}`, entries: [entry(i)] },
        { accountId: 'busy', entries: [entry(i)] },
      ])
    }
    expect(history.list('a0')).toEqual([])
    expect(history.list('a1999')).toHaveLength(1)
    expect(history.list('busy')).toHaveLength(MAX_LOGGED_REQUESTS)
  })

  it('sends what a process has seen since the last flush, cut to what a list can show', async () => {
    const sent: (readonly RequestBatch[])[] = []
    const buffer = new RequestBuffer(async (batches) => void sent.push(batches))
    for (let i = 0; i < 150; i++) buffer.record('a', entry(i, `/v4/shows?ids=${'1,'.repeat(400)}`))
    await buffer.flush()
    await buffer.flush()
    expect(sent).toHaveLength(1)
    expect(sent[0]?.[0]?.entries).toHaveLength(MAX_LOGGED_REQUESTS)
    expect(sent[0]?.[0]?.entries[0]?.at).toBe(50)
    expect(sent[0]?.[0]?.entries[0]?.url.length).toBeLessThan(310)
  })
})

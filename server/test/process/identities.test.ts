import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { marquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const MAPPING = {
  key: 'show_id',
  columns: { title: 'title', release_year: 'year', director: 'directors', cast: 'cast' },
  defaults: { showType: 'movie', country: 'us', service: 'acme', type: 'subscription', link: 'https://acme.test' },
  listDelimiter: ',',
  reference: [{ kind: 'service', id: 'acme', name: 'Acme' }],
}
const HEAD = 'show_id,title,release_year,director,cast\n'
const NETFLIX = `${HEAD}s1,Romeo & Juliet,2021,Simon Godwin,"Josh O'Connor, Jessie Buckley"\ns2,Roma,2018,Alfonso Cuarón,\n`
const HULU = `${HEAD}h1,Romeo and Juliet,2021,,\nh2,Romeo and Juliet,2021,Ola Ince,"Alfred Enoch, Rebekah Murrell"\n`

test('an operator sees what is one show, decides, and ranks sources', async () => {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)
  writeFileSync(at('netflix.csv'), NETFLIX)
  writeFileSync(at('hulu.csv'), HULU)
  writeFileSync(at('mapping.json'), JSON.stringify(MAPPING))
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await marquee(args, { MARQUEE_DATA: at('data') })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }
  const importList = (name: string) =>
    run('import', at(`${name}.csv`), '--mapping', at('mapping.json'), '--source', name, '--json')
  expect(JSON.parse(await importList('netflix'))).toMatchObject({ created: 2 })
  expect(JSON.parse(await importList('hulu'))).toMatchObject({ created: 1 })
  const listed = await run('identities')
  expect(listed).toMatch(/1 show joined\n {2}\d+ Romeo and Juliet \(movie, 2021\)\n {4}hulu\/h1 by title, year\n/)
  expect(listed).toMatch(/1 pair left apart, though their titles agree\n.*\n {4}two records of hulu, other people\n/)
  const { joined } = JSON.parse(await run('identities', '--only', 'joined', '--json'))
  const parted = JSON.parse(await run('identities', 'part', joined[0].id, 'hulu', '--json'))
  expect(parted).toMatchObject({ outcome: 'parted', shows: [joined[0].id, expect.any(String)] })
  await importList('hulu')
  const decided = JSON.parse(await run('identities', '--show', parted.shows[1], '--json'))
  expect(decided).toMatchObject({ counts: { joined: 0, decided: 1 }, apart: expect.any(Array) })
  expect(JSON.parse(await run('sources', 'rank', 'hulu', 'netflix', '--json'))).toMatchObject({
    all: ['hulu', 'netflix'],
  })
  expect(await run('sources', 'rank')).toBe('field  sources, best first\n*      hulu, netflix\n')
  const failed = await marquee(['identities', 'join', '1', 'tt1'], { MARQUEE_DATA: at('data') })
  expect(failed).toMatchObject({ code: 1, stderr: 'marquee: There is no show tt1\n' })
})

import { describe, expect, it } from 'vitest'
import { aDelta, aMovie, anOption, aSeries, aSnapshot, idsOf } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

const cast = (id: string, ...people: string[]) => aMovie({ id, cast: people, directors: [] })

describe('GET /people/search', async () => {
  const service = await aRunningService(
    aSnapshot(
      cast('1', 'Al Pacino', 'Diane Keaton', 'Robert De Niro'),
      cast('2', 'Al Pacino', 'Robert De Niro', 'Renée Zellweger'),
      cast('3', 'AL PACINO', 'Roberto Benigni'),
      aMovie({ id: '4', cast: ['Martin Sheen'], directors: ['Martin Scorsese'] }),
      aMovie({ id: '5', cast: [], directors: ['Martin Scorsese', '宮崎 駿'] }),
      aSeries({ id: '6', cast: ['Рене Зеллвегер'], creators: ['Martin Short', 'Robert De Niro'] }),
    ),
  )
  const found = async (name: string, more = '') => {
    const { status, body, text } = await service.get(`/people/search?name=${encodeURIComponent(name)}${more}`)
    expect(status, text).toBe(200)
    return (body as { name: string; showCount: number }[]).map((person) => `${person.name} ${person.showCount}`)
  }

  it('returns names with the number of their shows: as actors, directors and creators', async () => {
    expect(await found('al pacino')).toEqual(['Al Pacino 3'])
    expect(await found('martin scorsese')).toEqual(['Martin Scorsese 2'])
    expect(await found('robert de niro')).toEqual(['Robert De Niro 3'])
  })

  it('ignores case, accents, punctuation, and the order of the words', async () => {
    for (const name of ['PACINO, AL', 'pacino al', 'Al Pacino'])
      expect(await found(name), name).toEqual(['Al Pacino 3'])
    expect(await found('renee zellweger')).toEqual(['Renée Zellweger 1'])
    expect(await found('zellveger rene')).toContain('Рене Зеллвегер 1')
  })

  it('takes the last word for unfinished, and puts people with more shows first', async () => {
    expect(await found('mart')).toEqual(['Martin Scorsese 2', 'Martin Sheen 1', 'Martin Short 1'])
    expect(await found('robert de n')).toEqual(['Robert De Niro 3'])
    expect(await found('robert')).toEqual(['Robert De Niro 3', 'Roberto Benigni 1'])
    expect(await found('martin s')).toEqual(['Martin Scorsese 2', 'Martin Sheen 1', 'Martin Short 1'])
  })

  it('forgives typing errors', async () => {
    expect(await found('al paccino')).toEqual(['Al Pacino 3'])
    expect(await found('scorcese')).toEqual(['Martin Scorsese 2'])
    expect(await found('csorsese')).toEqual(['Martin Scorsese 2'])
    expect(await found('marten scorsese')).toEqual(['Martin Scorsese 2'])
  })

  it('joins and splits words, and takes starts and initials of words', async () => {
    expect(await found('deniro')).toEqual(['Robert De Niro 3'])
    expect(await found('robert deniro')).toEqual(['Robert De Niro 3'])
    expect(await found('al pa cino')).toEqual(['Al Pacino 3'])
    expect(await found('a pacino')).toEqual(['Al Pacino 3'])
    expect(await found('rob de niro')).toEqual(['Robert De Niro 3'])
  })

  it('finds a name that lacks one of several words, or has one whose first letters are wrong', async () => {
    expect(await found('robert de niro jr')).toEqual(['Robert De Niro 3'])
    expect(await found('actor al pacino')).toEqual(['Al Pacino 3'])
    expect(await found('nartin scorsese')).toEqual(['Martin Scorsese 2'])
    for (const name of ['acorsese', 'corsese', 'srorsese', 'sorsese'])
      expect(await found(name)).toEqual(['Martin Scorsese 2'])
    expect(await found('robertdeniro')).toEqual(['Robert De Niro 3'])
    expect(await found('keanu pacino')).toEqual([])
  })

  it('finds names in scripts without spaces', async () => {
    expect(await found('宮崎')).toEqual(['宮崎 駿 1'])
  })

  it('finds nobody by another name, and by punctuation', async () => {
    expect(await found('keanu')).toEqual([])
    expect(await found('…')).toEqual([])
  })

  it('limit: 1 to 50', async () => {
    expect(await found('martin', '&limit=2')).toHaveLength(2)
    for (const limit of ['0', '51', 'x']) {
      const { status, error } = await service.get(`/people/search?name=a&limit=${limit}`)
      expect([status, error.code, error.parameter], limit).toEqual([400, 'invalid_parameter', 'limit'])
    }
  })

  it('name is required', async () => {
    const { status, error } = await service.get('/people/search')
    expect([status, error.code, error.parameter]).toEqual([400, 'missing_parameter', 'name'])
  })

  it('people of shows that were removed are gone', async () => {
    await service.import(aDelta(cast('7', 'Zoe Late')))
    expect(await found('zoe late')).toEqual(['Zoe Late 1'])
    await service.import(aDelta({ kind: 'remove', id: '7' }))
    expect(await found('zoe late')).toEqual([])
  })
})

describe('people of common names', async () => {
  /** More shows than are read in one turn of the event loop, and than a sample has. */
  const COUNT = 2_500
  const service = await aRunningService(
    aSnapshot(
      ...Array.from({ length: COUNT }, (_, i) => cast(String(1000 + i), 'John Doe', 'Will Smith')),
      cast('1', 'John Smith'),
      cast('2', 'Mary Ann Jones', 'Smith John'),
      cast('3', 'John Smith Junior'),
    ),
  )
  const filtered = async (people: string) => {
    const query = `country=us&people=${encodeURIComponent(people)}`
    const { body } = await service.get(`/shows/search/filters?${query}&order_by=original_title`)
    const { body: counts } = await service.get(`/shows/count?${query}`)
    return [counts.count, ...idsOf(body.shows).slice(0, 3)]
  }

  it('a show has a name as a whole, not its words in several names, in any order of the words', async () => {
    expect(await filtered('john smith')).toEqual([2, '1', '2'])
    expect(await filtered('smith john')).toEqual([2, '1', '2'])
    expect(await filtered('john junior')).toEqual([1, '3'])
    expect(await filtered('jhon smiht junior')).toEqual([1, '3'])
    expect(await filtered('mary smith')).toEqual([0])
    expect((await filtered('smith'))[0]).toBe(COUNT + 3)
  })

  it('several people at once', async () => {
    expect((await filtered('john doe,will smith'))[0]).toBe(COUNT)
    expect(await filtered('john smith,mary jones')).toEqual([1, '2'])
  })

  it('are found among many others, each time', async () => {
    for (const name of ['john smith', 'smith john', 'john smi', 'john smi']) {
      const { body } = await service.get(`/people/search?name=${encodeURIComponent(name)}`)
      const names = body.map((person: { name: string; showCount: number }) => `${person.name} ${person.showCount}`)
      expect(names.slice(0, 3).sort(), name).toEqual(['John Smith 1', 'John Smith Junior 1', 'Smith John 1'])
    }
  })

  it('an import counts, also while a name is read', async () => {
    const [before] = await Promise.all([filtered('will smith'), service.import(aDelta(cast('4', 'Will Smith')))])
    expect([COUNT, COUNT + 1]).toContain(before?.[0])
    expect((await filtered('will smith'))[0]).toBe(COUNT + 1)
  })
})

describe('people as a filter', async () => {
  const service = await aRunningService(
    aSnapshot(
      cast('1', 'Al Pacino', 'Diane Keaton'),
      cast('2', 'Al Pacino'),
      aMovie({ id: '3', cast: ['Al Pacino'], streamingOptions: { gb: [anOption()] } }),
      aMovie({ id: '4', cast: [], directors: ['Diane Keaton'] }),
    ),
  )
  const found = async (people: string) => {
    const { status, body } = await service.get(`/shows/search/filters?country=us&people=${encodeURIComponent(people)}`)
    expect(status).toBe(200)
    return idsOf(body.shows)
  }

  it('finds the shows of the country that have all of them', async () => {
    expect(await found('Al Pacino')).toEqual(['1', '2'])
    expect(await found('diane keaton')).toEqual(['1', '4'])
    expect(await found('Al Pacino, Diane Keaton')).toEqual(['1'])
  })

  it('takes a misspelt name for the nearest one, and finds nothing of a stranger', async () => {
    expect(await found('al paccino')).toEqual(['1', '2'])
    expect(await found('a. pacino')).toEqual(['1', '2'])
    expect(await found('Keanu Reeves')).toEqual([])
  })
})

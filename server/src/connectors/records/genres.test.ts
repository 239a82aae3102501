import { describe, expect, it } from 'vitest'
import { STANDARD_GENRES } from '../../model/genre.ts'
import genreAliases from './genre-aliases.json' with { type: 'json' }
import { parseGenres } from './genres.ts'

describe('parseGenres', () => {
  it('knows every standard genre by its name in every language', () => {
    const wrong = STANDARD_GENRES.flatMap(({ id, names }) =>
      Object.values(names).filter((name) => JSON.stringify(parseGenres([name])) !== JSON.stringify([id])),
    )
    expect(wrong).toEqual([])
  })

  it('knows every synonym, and none stands for two genres', () => {
    const wrong = Object.entries(genreAliases.aliases).flatMap(([id, labels]) =>
      labels.filter((label) => JSON.stringify(parseGenres([label.toUpperCase()])) !== JSON.stringify([id])),
    )
    expect(wrong).toEqual([])
  })

  it.each([
    // What title lists of large services have.
    ['TV Dramas', ['drama']],
    ['Horror Movies', ['horror']],
    ['Crime TV Shows', ['crime']],
    ["Kids' TV", ['family']],
    ['Children & Family Movies', ['family']],
    ['TV Action & Adventure', ['action', 'adventure']],
    ['TV Sci-Fi & Fantasy', ['scifi', 'fantasy']],
    ['Stand-Up Comedy & Talk Shows', ['comedy', 'talk']],
    ['Action-Adventure', ['action', 'adventure']],
    ['Romantic Comedy', ['romance', 'comedy']],
    ['Documentaries, International Movies', ['documentary', { id: 'international', name: 'International' }]],
    ['Talk Show and Variety', ['talk', { id: 'variety', name: 'Variety' }]],
    ['TV Shows', []],
    [
      'Arts, Entertainment, and Culture, Drama',
      [{ id: 'arts-entertainment-and-culture', name: 'Arts, Entertainment, and Culture' }, 'drama'],
    ],
    ['Soap Opera / Melodrama', [{ id: 'soap-opera', name: 'Soap Opera' }, 'drama']],
    ['Science & Nature TV', ['documentary']],
    ['Military and War', ['war']],
    ['Music Videos and Concerts', ['music']],
    ['Police/Cop, Spy/Espionage, Parody', ['crime', 'thriller', 'comedy']],
    ['Cooking & Food', [{ id: 'cooking-food', name: 'Cooking & Food' }]],
    // What feeds for TV devices have.
    ['crime drama', ['crime', 'drama']],
    ['animated', ['animation']],
    ['home improvement', [{ id: 'home-improvement', name: 'Home Improvement' }]],
    ['bus./financial', [{ id: 'bus-financial', name: 'Bus./Financial' }]],
    // Other languages and separators.
    ['Krimi; Komödie|Abenteuer', ['crime', 'comedy', 'adventure']],
    ['ホラー', ['horror']],
    ['韓流', [{ id: 'genre-aa435f8b', name: '韓流' }]],
  ])('reads %s', (label, genres) => expect(parseGenres([label])).toEqual(genres))
})

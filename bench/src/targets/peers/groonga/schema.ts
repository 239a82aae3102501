import { SHOW_ORDERS } from '../peer-store.ts'

/** Columns of sort values, besides the title. */
const NUMBER_ORDERS = SHOW_ORDERS.filter((order) => order !== 'title')

/** Tables and columns; the indexes are built after loading, which is faster. */
export function tableCommands(countries: readonly string[]): string[] {
  return [
    ...['Catalogs', 'Countries', 'Genres', 'ImdbIds', 'Languages', 'TmdbIds', 'Words', 'Titles', 'Kinds'].map(
      (name) => `table_create ${name} TABLE_PAT_KEY ShortText`,
    ),
    // Titles are normalized: their words are separated by single spaces.
    'table_create TitleWords TABLE_PAT_KEY ShortText --default_tokenizer TokenDelimit',
    ...['Years', 'Ratings', 'Times'].map((name) => `table_create ${name} TABLE_PAT_KEY Int64`),
    'table_create Shows TABLE_HASH_KEY UInt64',
    'table_create Listings TABLE_HASH_KEY ShortText',
    'table_create Changes TABLE_NO_KEY',
    ...columns('Shows', {
      imdb: 'ImdbIds',
      tmdb: 'TmdbIds',
      movie: 'Bool',
      head: 'LongText',
      outline: 'LongText',
      all_options: 'LongText',
      all_seasons: 'LongText',
      ...Object.fromEntries(
        countries.flatMap((country) => [
          [`popularity_${country}`, 'Int64'],
          [`listing_${country}`, 'Listings'],
        ]),
      ),
    }),
    'column_create Shows titles COLUMN_VECTOR ShortText',
    ...columns('Listings', {
      show: 'Shows',
      country: 'Countries',
      movie: 'Bool',
      language: 'Languages',
      title: 'ShortText',
      ...Object.fromEntries(NUMBER_ORDERS.map((order) => [order, 'Int64'])),
      options: 'LongText',
      seasons: 'LongText',
    }),
    'column_create Listings genres COLUMN_VECTOR Genres',
    'column_create Listings catalogs COLUMN_VECTOR Catalogs',
    'column_create Listings words COLUMN_VECTOR Words',
    ...columns('Changes', {
      kind: 'Kinds',
      time: 'Int64',
      rank: 'Int64',
      movie: 'Bool',
      service: 'ShortText',
      show: 'Shows',
      listing: 'Listings',
      body: 'Text',
    }),
  ]
}

/** An index for each filter. */
export const INDEX_COMMANDS = [
  index('Catalogs', 'Listings', 'catalogs'),
  index('Countries', 'Listings', 'country'),
  index('Genres', 'Listings', 'genres'),
  index('Languages', 'Listings', 'language'),
  index('Words', 'Listings', 'words'),
  index('Years', 'Listings', 'year'),
  index('Ratings', 'Listings', 'rating'),
  index('ImdbIds', 'Shows', 'imdb'),
  index('TmdbIds', 'Shows', 'tmdb'),
  index('Titles', 'Shows', 'titles'),
  index('TitleWords', 'Shows', 'titles'),
  index('Kinds', 'Changes', 'kind'),
  index('Times', 'Changes', 'time'),
]

function columns(table: string, types: Readonly<Record<string, string>>): string[] {
  return Object.entries(types).map(([name, type]) => `column_create ${table} ${name} COLUMN_SCALAR ${type}`)
}

function index(terms: string, table: string, column: string): string {
  return `column_create ${terms} ${table}_${column} COLUMN_INDEX ${table} ${column}`
}

/** The key of a show in a country. */
export function listingKey(country: string, id: number): string {
  return `${country}:${id}`
}

/** The key of the changes of a kind in a country. */
export function changeKind(country: string, changeType: string, itemType: string): string {
  return `${country}:${changeType}:${itemType}`
}

/** The key of a catalog in a country, such as `us:prime.rent`. */
export function catalogKey(country: string, catalog: string): string {
  return `${country}:${catalog}`
}

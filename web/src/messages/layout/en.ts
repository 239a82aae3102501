import { plural } from '../../i18n/language.ts'

const n = plural('en')

export const en = {
  name: 'Marquee',
  skip: 'Skip to the content',
  nav: {
    label: 'Pages',
    browse: 'Browse',
    new: 'New',
    leaving: 'Leaving',
    upcoming: 'Upcoming',
    top: 'Top',
    developers: 'For developers',
  },
  search: {
    label: 'Search for a title',
    placeholder: 'Search movies and series',
    results: 'Found titles',
    all: (text: string) => `All titles like “${text}”`,
    found: (count: number) => n(count, { one: '# title found', other: '# titles found' }),
    none: (text: string) => `No title like “${text}” is known. Check the spelling, or try fewer words.`,
    nowhere: 'Not available here',
    types: { movie: 'Movie', series: 'Series' },
  },
  country: 'Country',
  language: 'Language',
  demo: 'This is a demo. Titles are real or made up; who streams them, where and for how much is invented.',
  demoShort: 'Demo: who streams what is invented.',
  apply: 'Apply',
  included: 'Included',
  settings: 'Settings',
  footer: {
    label: 'About',
    what: 'Which movies and series can be watched where.',
    dashboard: 'Dashboard',
    api: 'API reference',
    openapi: 'OpenAPI description',
    sources: 'Sources',
  },
  loading: 'Loading',
  retry: 'Try again',
  firstRun: {
    title: 'The catalog is empty',
    lead: 'This service is new. What to do next, with commands on the machine that it runs on:',
    import: 'Import a file: a feed, or any table with --guess',
    sync: 'Copy what streams where from TMDB, or schedule feeds in sources.json',
    admin: 'Make an admin account, for the operator’s pages',
    demo: 'Try the demo: a catalog that is made up',
    reload: 'Then reload this page.',
    forms: 'An admin can do the same in the browser, with forms that show the progress:',
    operator: 'The operator’s pages',
  },
  missing: {
    title: 'There is no such page',
    text: 'The address may be mistyped, or the page has moved.',
    home: 'To the start page',
  },
  unknownCountry: {
    title: (country: string) => `This catalog does not cover ${country}`,
    choose: 'Countries of this catalog',
    goOn: (country: string) => `Go on with ${country}`,
  },
  failure: {
    offline: { title: 'You are offline', text: 'As soon as you are connected again, this page goes on by itself.' },
    unreachable: {
      title: 'The service cannot be reached',
      text: 'It may be restarting. Try again in a moment.',
    },
    busy: {
      title: 'Too many requests',
      text: 'From your address came more than the service takes at once.',
      wait: (seconds: number) => n(seconds, { one: 'Goes on in # second', other: 'Goes on in # seconds' }),
    },
    notFound: { title: 'Not found', text: 'The catalog does not know this. It may have been removed.' },
    refused: {
      title: 'This cannot be shown',
      text: 'The address asks for something that does not exist, or no longer. Start anew from the links above.',
    },
    empty: { title: 'The catalog is empty', text: 'The service waits for its first import.' },
    other: { title: 'Something went wrong', text: 'This is not your fault.' },
    requestId: (id: string) => `Request ${id}`,
  },
}

export type LayoutMessages = typeof en

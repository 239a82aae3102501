import { plural } from '../../i18n/plural.ts'

const n = plural('en')

export const en = {
  home: {
    title: 'Where to watch',
    lead: (country: string) => `Movies and series on all streaming services in ${country}.`,
    popular: 'Popular this week',
    all: 'Show all',
  },
  found: (count: number) => n(count, { one: '# title', other: '# titles' }),
}

export type ExplorerMessages = typeof en

import { plural } from '../../i18n/plural.ts'
import type { ExplorerMessages } from './en.ts'

const n = plural('fr')

export const fr: ExplorerMessages = {
  home: {
    title: 'Où regarder',
    lead: (country) => `Films et séries de tous les services de streaming : ${country}.`,
    popular: 'Populaire cette semaine',
    all: 'Tout voir',
  },
  found: (count) => n(count, { one: '# titre', other: '# titres' }),
}

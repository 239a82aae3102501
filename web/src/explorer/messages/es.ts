import { plural } from '../../i18n/plural.ts'
import type { ExplorerMessages } from './en.ts'

const n = plural('es')

export const es: ExplorerMessages = {
  home: {
    title: 'Dónde verlo',
    lead: (country) => `Películas y series de todos los servicios de streaming en ${country}.`,
    popular: 'Popular esta semana',
    all: 'Ver todo',
  },
  found: (count) => n(count, { one: '# título', other: '# títulos' }),
}

import { plural } from '../../i18n/plural.ts'
import type { ExplorerMessages } from './en.ts'

const n = plural('tr')

export const tr: ExplorerMessages = {
  home: {
    title: 'Nerede izlenir',
    lead: (country) => `Tüm yayın hizmetlerindeki film ve diziler: ${country}.`,
    popular: 'Bu hafta popüler',
    all: 'Tümünü göster',
  },
  found: (count) => n(count, { one: '# yapım', other: '# yapım' }),
}

import { plural } from '../../i18n/language.ts'
import type { LayoutMessages } from './en.ts'

const n = plural('nl')

export const nl: LayoutMessages = {
  name: 'Marquee',
  skip: 'Naar de inhoud',
  nav: {
    label: 'Pagina’s',
    browse: 'Bladeren',
    new: 'Nieuw',
    leaving: 'Bijna weg',
    upcoming: 'Binnenkort',
    top: 'Top',
    developers: 'Voor ontwikkelaars',
  },
  search: {
    label: 'Een titel zoeken',
    placeholder: 'Zoek films en series',
    results: 'Gevonden titels',
    all: (text) => `Alle titels zoals “${text}”`,
    found: (count) => n(count, { one: '# titel gevonden', other: '# titels gevonden' }),
    none: (text) => `Geen titel zoals “${text}” is bekend. Controleer de spelling of probeer minder woorden.`,
    nowhere: 'Hier niet beschikbaar',
    types: {
      movie: 'Film',
      series: 'Serie',
    },
  },
  country: 'Land',
  language: 'Taal',
  demo: 'Dit is een demo. De titels zijn echt of verzonnen; wie ze waar en voor hoeveel toont, is verzonnen.',
  demoShort: 'Demo: wie wat toont, is verzonnen.',
  apply: 'Toepassen',
  included: 'Inbegrepen',
  settings: 'Instellingen',
  footer: {
    label: 'Over',
    what: 'Welke films en series waar te zien zijn.',
    dashboard: 'Dashboard',
    api: 'API-referentie',
    openapi: 'OpenAPI-beschrijving',
    sources: 'Bronnen',
  },
  loading: 'Laden',
  retry: 'Opnieuw proberen',
  firstRun: {
    title: 'De catalogus is leeg',
    lead: 'Deze dienst is nieuw. Wat nu te doen, met opdrachten op de machine waarop hij draait:',
    import: 'Een bestand importeren: een feed, of een willekeurige tabel met --guess',
    sync: 'Van TMDB overnemen wat waar te zien is, of feeds plannen in sources.json',
    admin: 'Een beheerdersaccount maken voor de pagina’s van de beheerder',
    demo: 'De demo proberen: een verzonnen catalogus',
    reload: 'Laad daarna deze pagina opnieuw.',
    forms: 'Een beheerder kan hetzelfde in de browser doen, met formulieren die de voortgang tonen:',
    operator: 'De pagina’s van de beheerder',
  },
  missing: {
    title: 'Deze pagina bestaat niet',
    text: 'Misschien is het adres verkeerd getypt, of is de pagina verplaatst.',
    home: 'Naar de startpagina',
  },
  unknownCountry: {
    title: (country) => `Deze catalogus bevat ${country} niet`,
    choose: 'Landen van deze catalogus',
    goOn: (country) => `Verder met ${country}`,
  },
  failure: {
    offline: {
      title: 'Je bent offline',
      text: 'Zodra je weer verbonden bent, gaat deze pagina vanzelf verder.',
    },
    unreachable: {
      title: 'De dienst is niet bereikbaar',
      text: 'Misschien start hij opnieuw. Probeer het zo nog eens.',
    },
    busy: {
      title: 'Te veel verzoeken',
      text: 'Van je adres kwam meer dan de dienst in één keer aanneemt.',
      wait: (seconds) => n(seconds, { one: 'Gaat verder over # seconde', other: 'Gaat verder over # seconden' }),
    },
    notFound: {
      title: 'Niet gevonden',
      text: 'De catalogus kent dit niet. Misschien is het verwijderd.',
    },
    refused: {
      title: 'Dit kan niet getoond worden',
      text: 'Het adres vraagt iets dat niet of niet meer bestaat. Begin opnieuw met de links hierboven.',
    },
    empty: {
      title: 'De catalogus is leeg',
      text: 'De dienst wacht op zijn eerste import.',
    },
    other: {
      title: 'Er ging iets mis',
      text: 'Dat ligt niet aan jou.',
    },
    requestId: (id) => `Verzoek ${id}`,
  },
}

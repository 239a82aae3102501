import { plural } from '../../i18n/language.ts'
import type { LayoutMessages } from './en.ts'

const n = plural('it')

export const it: LayoutMessages = {
  name: 'Marquee',
  skip: 'Vai al contenuto',
  nav: {
    label: 'Pagine',
    browse: 'Sfoglia',
    new: 'Novità',
    leaving: 'In scadenza',
    upcoming: 'In arrivo',
    top: 'Top',
    developers: 'Per sviluppatori',
  },
  search: {
    label: 'Cerca un titolo',
    placeholder: 'Cerca film e serie',
    results: 'Titoli trovati',
    all: (text) => `Tutti i titoli come “${text}”`,
    found: (count) => n(count, { one: '# titolo trovato', other: '# titoli trovati' }),
    none: (text) => `Nessun titolo come “${text}” è noto. Controlla l’ortografia o prova con meno parole.`,
    nowhere: 'Non disponibile qui',
    types: {
      movie: 'Film',
      series: 'Serie',
    },
  },
  country: 'Paese',
  language: 'Lingua',
  demo: 'Questa è una demo. I titoli sono veri o inventati; chi li trasmette, dove e a quale prezzo è inventato.',
  demoShort: 'Demo: chi trasmette cosa è inventato.',
  apply: 'Applica',
  included: 'Incluso',
  settings: 'Impostazioni',
  footer: {
    label: 'Informazioni',
    what: 'Quali film e serie si possono guardare e dove.',
    dashboard: 'Dashboard',
    api: 'Riferimento API',
    openapi: 'Descrizione OpenAPI',
    sources: 'Fonti',
  },
  loading: 'Caricamento',
  retry: 'Riprova',
  firstRun: {
    title: 'Il catalogo è vuoto',
    lead: 'Questo servizio è nuovo. Che cosa fare adesso, con comandi sulla macchina su cui gira:',
    import: 'Importare un file: un feed, o qualsiasi tabella con --guess',
    sync: 'Copiare da TMDB dove si vede cosa, o pianificare i feed in sources.json',
    admin: 'Creare un account admin per le pagine dell’operatore',
    demo: 'Provare la demo: un catalogo inventato',
    reload: 'Poi ricarica questa pagina.',
    forms: 'Un admin può fare lo stesso nel browser, con moduli che mostrano l’avanzamento:',
    operator: 'Le pagine dell’operatore',
  },
  missing: {
    title: 'Questa pagina non esiste',
    text: 'L’indirizzo può essere sbagliato, o la pagina è stata spostata.',
    home: 'Alla pagina iniziale',
  },
  unknownCountry: {
    title: (country) => `Questo catalogo non comprende: ${country}`,
    choose: 'Paesi di questo catalogo',
    goOn: (country) => `Continua con ${country}`,
  },
  failure: {
    offline: {
      title: 'Sei offline',
      text: 'Appena torni in linea, questa pagina riprende da sola.',
    },
    unreachable: {
      title: 'Il servizio non è raggiungibile',
      text: 'Forse si sta riavviando. Riprova tra un momento.',
    },
    busy: {
      title: 'Troppe richieste',
      text: 'Dal tuo indirizzo ne sono arrivate più di quante il servizio accetta in una volta.',
      wait: (seconds) => n(seconds, { one: 'Riprende tra # secondo', other: 'Riprende tra # secondi' }),
    },
    notFound: {
      title: 'Non trovato',
      text: 'Il catalogo non lo conosce. Forse è stato rimosso.',
    },
    refused: {
      title: 'Non si può mostrare',
      text: 'L’indirizzo chiede qualcosa che non esiste, o non più. Riparti dai link in alto.',
    },
    empty: {
      title: 'Il catalogo è vuoto',
      text: 'Il servizio attende la sua prima importazione.',
    },
    other: {
      title: 'Qualcosa è andato storto',
      text: 'Non è colpa tua.',
    },
    requestId: (id) => `Richiesta ${id}`,
  },
}

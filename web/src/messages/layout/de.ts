import { plural } from '../../i18n/language.ts'
import type { LayoutMessages } from './en.ts'

const n = plural('de')

export const de: LayoutMessages = {
  name: 'Marquee',
  skip: 'Zum Inhalt springen',
  nav: {
    label: 'Seiten',
    browse: 'Stöbern',
    new: 'Neu',
    leaving: 'Auslaufend',
    upcoming: 'Demnächst',
    top: 'Top',
    developers: 'Für Entwickler',
  },
  search: {
    label: 'Nach einem Titel suchen',
    placeholder: 'Filme und Serien suchen',
    results: 'Gefundene Titel',
    all: (text) => `Alle Titel wie „${text}“`,
    found: (count) => n(count, { one: '# Titel gefunden', other: '# Titel gefunden' }),
    none: (text) =>
      `Kein Titel wie „${text}“ ist bekannt. Prüfe die Schreibweise oder versuche es mit weniger Wörtern.`,
    nowhere: 'Hier nicht verfügbar',
    types: {
      movie: 'Film',
      series: 'Serie',
    },
  },
  country: 'Land',
  language: 'Sprache',
  demo: 'Dies ist eine Demo. Die Titel sind echt oder ausgedacht; wer sie wo und zu welchem Preis zeigt, ist erfunden.',
  demoShort: 'Demo: Wer was zeigt, ist erfunden.',
  apply: 'Anwenden',
  included: 'Inklusive',
  settings: 'Einstellungen',
  footer: {
    label: 'Über',
    what: 'Welche Filme und Serien wo zu sehen sind.',
    dashboard: 'Dashboard',
    api: 'API-Referenz',
    openapi: 'OpenAPI-Beschreibung',
    sources: 'Quellen',
  },
  loading: 'Wird geladen',
  retry: 'Noch einmal versuchen',
  firstRun: {
    title: 'Der Katalog ist leer',
    lead: 'Dieser Dienst ist neu. Was als Nächstes zu tun ist, mit Befehlen auf dem Rechner, auf dem er läuft:',
    import: 'Eine Datei importieren: einen Feed oder mit --guess eine beliebige Tabelle',
    sync: 'Von TMDB übernehmen, was wo läuft, oder Feeds in sources.json planen',
    admin: 'Ein Admin-Konto für die Seiten des Betreibers anlegen',
    demo: 'Die Demo ausprobieren: einen ausgedachten Katalog',
    reload: 'Danach diese Seite neu laden.',
    forms: 'Ein Admin kann dasselbe im Browser tun, mit Formularen, die den Fortschritt zeigen:',
    operator: 'Die Seiten des Betreibers',
  },
  missing: {
    title: 'Diese Seite gibt es nicht',
    text: 'Vielleicht ist die Adresse vertippt, oder die Seite ist umgezogen.',
    home: 'Zur Startseite',
  },
  unknownCountry: {
    title: (country) => `Dieser Katalog enthält kein Angebot für ${country}`,
    choose: 'Länder dieses Katalogs',
    goOn: (country) => `Weiter mit ${country}`,
  },
  failure: {
    offline: {
      title: 'Du bist offline',
      text: 'Sobald du wieder verbunden bist, geht es hier von selbst weiter.',
    },
    unreachable: {
      title: 'Der Dienst ist nicht erreichbar',
      text: 'Vielleicht startet er gerade neu. Versuche es gleich noch einmal.',
    },
    busy: {
      title: 'Zu viele Anfragen',
      text: 'Von deiner Adresse kam mehr, als der Dienst auf einmal annimmt.',
      wait: (seconds) => n(seconds, { one: 'Weiter in # Sekunde', other: 'Weiter in # Sekunden' }),
    },
    notFound: {
      title: 'Nicht gefunden',
      text: 'Der Katalog kennt das nicht. Vielleicht wurde es entfernt.',
    },
    refused: {
      title: 'Das kann nicht gezeigt werden',
      text: 'Die Adresse nennt etwas, das es nicht oder nicht mehr gibt. Beginne neu mit den Links oben.',
    },
    empty: {
      title: 'Der Katalog ist leer',
      text: 'Der Dienst wartet auf seinen ersten Import.',
    },
    other: {
      title: 'Etwas ist schiefgegangen',
      text: 'Das liegt nicht an dir.',
    },
    requestId: (id) => `Anfrage ${id}`,
  },
}

import { plural } from '../../i18n/language.ts'
import type { LayoutMessages } from './en.ts'

const n = plural('sv')

export const sv: LayoutMessages = {
  name: 'Marquee',
  skip: 'Till innehållet',
  nav: {
    label: 'Sidor',
    browse: 'Bläddra',
    new: 'Nytt',
    leaving: 'Försvinner',
    upcoming: 'Kommer',
    top: 'Topp',
    developers: 'För utvecklare',
  },
  search: {
    label: 'Sök efter en titel',
    placeholder: 'Sök filmer och serier',
    results: 'Hittade titlar',
    all: (text) => `Alla titlar som ”${text}”`,
    found: (count) => n(count, { one: '# titel hittad', other: '# titlar hittade' }),
    none: (text) => `Ingen titel som ”${text}” är känd. Kontrollera stavningen eller prova färre ord.`,
    nowhere: 'Finns inte här',
    types: {
      movie: 'Film',
      series: 'Serie',
    },
  },
  country: 'Land',
  language: 'Språk',
  demo: 'Det här är en demo. Titlarna är verkliga eller påhittade; vem som visar dem, var och till vilket pris är påhittat.',
  demoShort: 'Demo: vem som visar vad är påhittat.',
  apply: 'Använd',
  included: 'Ingår',
  settings: 'Inställningar',
  footer: {
    label: 'Om',
    what: 'Vilka filmer och serier man kan se var.',
    dashboard: 'Instrumentpanel',
    api: 'API-referens',
    openapi: 'OpenAPI-beskrivning',
    sources: 'Källor',
  },
  loading: 'Laddar',
  retry: 'Försök igen',
  firstRun: {
    title: 'Katalogen är tom',
    lead: 'Den här tjänsten är ny. Vad du gör nu, med kommandon på datorn som den körs på:',
    import: 'Importera en fil: ett flöde, eller vilken tabell som helst med --guess',
    sync: 'Kopiera från TMDB vad som visas var, eller schemalägg flöden i sources.json',
    admin: 'Skapa ett administratörskonto för operatörens sidor',
    demo: 'Prova demon: en påhittad katalog',
    reload: 'Ladda sedan om den här sidan.',
    forms: 'En administratör kan göra samma sak i webbläsaren, med formulär som visar förloppet:',
    operator: 'Operatörens sidor',
  },
  missing: {
    title: 'Sidan finns inte',
    text: 'Adressen kan vara felskriven, eller så har sidan flyttat.',
    home: 'Till startsidan',
  },
  unknownCountry: {
    title: (country) => `Den här katalogen omfattar inte ${country}`,
    choose: 'Katalogens länder',
    goOn: (country) => `Fortsätt med ${country}`,
  },
  failure: {
    offline: {
      title: 'Du är offline',
      text: 'Så snart du är ansluten igen fortsätter sidan av sig själv.',
    },
    unreachable: {
      title: 'Tjänsten går inte att nå',
      text: 'Den kanske startar om. Försök igen om en stund.',
    },
    busy: {
      title: 'För många förfrågningar',
      text: 'Från din adress kom fler än tjänsten tar emot på en gång.',
      wait: (seconds) => n(seconds, { one: 'Fortsätter om # sekund', other: 'Fortsätter om # sekunder' }),
    },
    notFound: {
      title: 'Hittades inte',
      text: 'Katalogen känner inte till detta. Det kan ha tagits bort.',
    },
    refused: {
      title: 'Det här kan inte visas',
      text: 'Adressen ber om något som inte finns, eller inte längre finns. Börja om från länkarna ovan.',
    },
    empty: {
      title: 'Katalogen är tom',
      text: 'Tjänsten väntar på sin första import.',
    },
    other: {
      title: 'Något gick fel',
      text: 'Det är inte ditt fel.',
    },
    requestId: (id) => `Förfrågan ${id}`,
  },
}

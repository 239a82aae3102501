import { plural } from '../../i18n/language.ts'
import type { LayoutMessages } from './en.ts'

const n = plural('pl')

export const pl: LayoutMessages = {
  name: 'Marquee',
  skip: 'Przejdź do treści',
  nav: {
    label: 'Strony',
    browse: 'Przeglądaj',
    new: 'Nowości',
    leaving: 'Znikają',
    upcoming: 'Zapowiedzi',
    top: 'Top',
    developers: 'Dla programistów',
  },
  search: {
    label: 'Szukaj tytułu',
    placeholder: 'Szukaj filmów i seriali',
    results: 'Znalezione tytuły',
    all: (text) => `Wszystkie tytuły podobne do „${text}”`,
    found: (count) =>
      n(count, {
        one: 'Znaleziono # tytuł',
        few: 'Znaleziono # tytuły',
        many: 'Znaleziono # tytułów',
        other: 'Znaleziono # tytułu',
      }),
    none: (text) => `Nie znamy tytułu podobnego do „${text}”. Sprawdź pisownię albo użyj mniej słów.`,
    nowhere: 'Tu niedostępne',
    types: {
      movie: 'Film',
      series: 'Serial',
    },
  },
  country: 'Kraj',
  language: 'Język',
  demo: 'To wersja demonstracyjna. Tytuły są prawdziwe lub zmyślone; kto je pokazuje, gdzie i za ile, jest zmyślone.',
  demoShort: 'Demo: kto co pokazuje, jest zmyślone.',
  apply: 'Zastosuj',
  included: 'W cenie',
  settings: 'Ustawienia',
  footer: {
    label: 'O stronie',
    what: 'Jakie filmy i seriale można gdzie obejrzeć.',
    dashboard: 'Panel',
    api: 'Dokumentacja API',
    openapi: 'Opis OpenAPI',
    sources: 'Źródła',
  },
  loading: 'Wczytywanie',
  retry: 'Spróbuj ponownie',
  firstRun: {
    title: 'Katalog jest pusty',
    lead: 'Ta usługa jest nowa. Co zrobić teraz, poleceniami na komputerze, na którym działa:',
    import: 'Zaimportować plik: kanał danych albo dowolną tabelę z --guess',
    sync: 'Skopiować z TMDB, co gdzie jest, albo zaplanować kanały w sources.json',
    admin: 'Założyć konto administratora do stron operatora',
    demo: 'Wypróbować demo: zmyślony katalog',
    reload: 'Potem odśwież tę stronę.',
    forms: 'Administrator może zrobić to samo w przeglądarce, w formularzach, które pokazują postęp:',
    operator: 'Strony operatora',
  },
  missing: {
    title: 'Nie ma takiej strony',
    text: 'Adres może być błędny albo strona została przeniesiona.',
    home: 'Do strony głównej',
  },
  unknownCountry: {
    title: (country) => `Ten katalog nie obejmuje: ${country}`,
    choose: 'Kraje tego katalogu',
    goOn: (country) => `Dalej z: ${country}`,
  },
  failure: {
    offline: {
      title: 'Jesteś offline',
      text: 'Gdy tylko wróci połączenie, strona sama ruszy dalej.',
    },
    unreachable: {
      title: 'Usługa jest nieosiągalna',
      text: 'Być może uruchamia się ponownie. Spróbuj za chwilę.',
    },
    busy: {
      title: 'Zbyt wiele zapytań',
      text: 'Z Twojego adresu przyszło więcej, niż usługa przyjmuje naraz.',
      wait: (seconds) =>
        n(seconds, {
          one: 'Dalej za # sekundę',
          few: 'Dalej za # sekundy',
          many: 'Dalej za # sekund',
          other: 'Dalej za # sekundy',
        }),
    },
    notFound: {
      title: 'Nie znaleziono',
      text: 'Katalog tego nie zna. Być może zostało usunięte.',
    },
    refused: {
      title: 'Nie można tego pokazać',
      text: 'Adres wskazuje coś, czego nie ma albo już nie ma. Zacznij od linków powyżej.',
    },
    empty: {
      title: 'Katalog jest pusty',
      text: 'Usługa czeka na pierwszy import.',
    },
    other: {
      title: 'Coś poszło nie tak',
      text: 'To nie Twoja wina.',
    },
    requestId: (id) => `Zapytanie ${id}`,
  },
}

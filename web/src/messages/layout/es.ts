import { plural } from '../../i18n/language.ts'
import type { LayoutMessages } from './en.ts'

const n = plural('es')

export const es: LayoutMessages = {
  name: 'Marquee',
  skip: 'Ir al contenido',
  nav: {
    label: 'Páginas',
    browse: 'Explorar',
    new: 'Novedades',
    leaving: 'Se van',
    upcoming: 'Próximos',
    top: 'Top',
    developers: 'Para desarrolladores',
  },
  search: {
    label: 'Buscar un título',
    placeholder: 'Buscar películas y series',
    results: 'Títulos encontrados',
    all: (text) => `Todos los títulos parecidos a «${text}»`,
    found: (count) => n(count, { one: '# título encontrado', other: '# títulos encontrados' }),
    none: (text) => `No se conoce ningún título como «${text}». Revise la ortografía o pruebe con menos palabras.`,
    nowhere: 'No disponible aquí',
    types: { movie: 'Película', series: 'Serie' },
  },
  country: 'País',
  language: 'Idioma',
  demo: 'Esto es una demostración. Los títulos son reales o inventados; quién los ofrece, dónde y a qué precio es inventado.',
  demoShort: 'Demo: la disponibilidad es inventada.',
  apply: 'Aplicar',
  included: 'Incluido',
  settings: 'Ajustes',
  footer: {
    label: 'Acerca de',
    what: 'Qué películas y series se pueden ver y dónde.',
    dashboard: 'Panel',
    api: 'Referencia de la API',
    openapi: 'Descripción OpenAPI',
    sources: 'Fuentes',
  },
  loading: 'Cargando',
  retry: 'Reintentar',
  firstRun: {
    title: 'El catálogo está vacío',
    lead: 'Este servicio es nuevo. Qué hacer ahora, con órdenes en la máquina donde funciona:',
    import: 'Importar un archivo: un feed, o cualquier tabla con --guess',
    sync: 'Copiar de TMDB qué se ve dónde, o programar feeds en sources.json',
    admin: 'Crear una cuenta de administrador, para las páginas del operador',
    demo: 'Probar la demo: un catálogo inventado',
    reload: 'Después, recarga esta página.',
    forms: 'Un administrador puede hacer lo mismo en el navegador, con formularios que muestran el progreso:',
    operator: 'Las páginas del operador',
  },
  missing: {
    title: 'Esta página no existe',
    text: 'Puede que la dirección esté mal escrita o que la página se haya movido.',
    home: 'Ir al inicio',
  },
  unknownCountry: {
    title: (country) => `Este catálogo no incluye ${country}`,
    choose: 'Países de este catálogo',
    goOn: (country) => `Seguir con ${country}`,
  },
  failure: {
    offline: { title: 'Sin conexión', text: 'En cuanto vuelva la conexión, esta página continuará sola.' },
    unreachable: {
      title: 'No se puede contactar con el servicio',
      text: 'Puede que se esté reiniciando. Inténtelo de nuevo en un momento.',
    },
    busy: {
      title: 'Demasiadas peticiones',
      text: 'Desde su dirección llegaron más de las que el servicio admite a la vez.',
      wait: (seconds) => n(seconds, { one: 'Continúa en # segundo', other: 'Continúa en # segundos' }),
    },
    notFound: { title: 'No encontrado', text: 'El catálogo no lo conoce. Puede que se haya eliminado.' },
    refused: {
      title: 'Esto no se puede mostrar',
      text: 'La dirección pide algo que no existe o que ya no existe. Empiece de nuevo con los enlaces de arriba.',
    },
    empty: { title: 'El catálogo está vacío', text: 'El servicio espera su primera importación.' },
    other: { title: 'Algo ha fallado', text: 'No es culpa suya.' },
    requestId: (id) => `Petición ${id}`,
  },
}

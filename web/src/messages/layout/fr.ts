import { plural } from '../../i18n/language.ts'
import type { LayoutMessages } from './en.ts'

const n = plural('fr')

export const fr: LayoutMessages = {
  name: 'Marquee',
  skip: 'Aller au contenu',
  nav: {
    label: 'Pages',
    browse: 'Parcourir',
    new: 'Nouveautés',
    leaving: 'Départs',
    upcoming: 'À venir',
    top: 'Top',
    developers: 'Pour développeurs',
  },
  search: {
    label: 'Chercher un titre',
    placeholder: 'Chercher films et séries',
    results: 'Titres trouvés',
    all: (text) => `Tous les titres comme « ${text} »`,
    found: (count) => n(count, { one: '# titre trouvé', other: '# titres trouvés' }),
    none: (text) => `Aucun titre proche de « ${text} » n’est connu. Vérifiez l’orthographe ou essayez moins de mots.`,
    nowhere: 'Indisponible ici',
    types: { movie: 'Film', series: 'Série' },
  },
  country: 'Pays',
  language: 'Langue',
  demo: 'Ceci est une démonstration. Les titres sont réels ou inventés ; qui les propose, où et à quel prix est inventé.',
  demoShort: 'Démo : la disponibilité est inventée.',
  apply: 'Appliquer',
  included: 'Inclus',
  settings: 'Réglages',
  footer: {
    label: 'À propos',
    what: 'Quels films et séries regarder, et où.',
    dashboard: 'Tableau de bord',
    api: 'Référence de l’API',
    openapi: 'Description OpenAPI',
    sources: 'Sources',
  },
  loading: 'Chargement',
  retry: 'Réessayer',
  firstRun: {
    title: 'Le catalogue est vide',
    lead: 'Ce service est nouveau. La suite, en ligne de commande sur sa machine :',
    import: 'Importer un fichier : un flux, ou n’importe quel tableau avec --guess',
    sync: 'Copier de TMDB ce qui passe où, ou programmer des flux dans sources.json',
    admin: 'Créer un compte administrateur, pour les pages de l’exploitant',
    demo: 'Essayer la démo : un catalogue inventé',
    reload: 'Rechargez ensuite cette page.',
    forms: 'Un administrateur peut faire de même dans le navigateur, avec des formulaires qui montrent l’avancement :',
    operator: 'Les pages de l’exploitant',
  },
  missing: {
    title: 'Cette page n’existe pas',
    text: 'L’adresse est peut-être mal écrite, ou la page a été déplacée.',
    home: 'Vers l’accueil',
  },
  unknownCountry: {
    title: (country) => `Ce catalogue ne couvre pas ce pays : ${country}`,
    choose: 'Pays de ce catalogue',
    goOn: (country) => `Continuer avec : ${country}`,
  },
  failure: {
    offline: { title: 'Vous êtes hors ligne', text: 'Dès que la connexion revient, cette page continue toute seule.' },
    unreachable: {
      title: 'Le service est injoignable',
      text: 'Il est peut-être en train de redémarrer. Réessayez dans un instant.',
    },
    busy: {
      title: 'Trop de requêtes',
      text: 'Votre adresse a envoyé plus de requêtes que le service n’en accepte à la fois.',
      wait: (seconds) => n(seconds, { one: 'Reprise dans # seconde', other: 'Reprise dans # secondes' }),
    },
    notFound: { title: 'Introuvable', text: 'Le catalogue ne le connaît pas. Il a peut-être été retiré.' },
    refused: {
      title: 'Impossible d’afficher ceci',
      text: 'L’adresse demande quelque chose qui n’existe pas ou plus. Repartez des liens ci-dessus.',
    },
    empty: { title: 'Le catalogue est vide', text: 'Le service attend sa première importation.' },
    other: { title: 'Un problème est survenu', text: 'Vous n’y êtes pour rien.' },
    requestId: (id) => `Requête ${id}`,
  },
}

import { plural } from '../../i18n/language.ts'
import type { LayoutMessages } from './en.ts'

const n = plural('pt')

export const pt: LayoutMessages = {
  name: 'Marquee',
  skip: 'Ir para o conteúdo',
  nav: {
    label: 'Páginas',
    browse: 'Explorar',
    new: 'Novidades',
    leaving: 'Saindo',
    upcoming: 'Em breve',
    top: 'Top',
    developers: 'Para desenvolvedores',
  },
  search: {
    label: 'Buscar um título',
    placeholder: 'Buscar filmes e séries',
    results: 'Títulos encontrados',
    all: (text) => `Todos os títulos como “${text}”`,
    found: (count) => n(count, { one: '# título encontrado', other: '# títulos encontrados' }),
    none: (text) => `Nenhum título como “${text}” é conhecido. Verifique a grafia ou tente menos palavras.`,
    nowhere: 'Não disponível aqui',
    types: {
      movie: 'Filme',
      series: 'Série',
    },
  },
  country: 'País',
  language: 'Idioma',
  demo: 'Isto é uma demonstração. Os títulos são reais ou inventados; quem os exibe, onde e por quanto é inventado.',
  demoShort: 'Demonstração: quem exibe o quê é inventado.',
  apply: 'Aplicar',
  included: 'Incluído',
  settings: 'Configurações',
  footer: {
    label: 'Sobre',
    what: 'Quais filmes e séries podem ser vistos e onde.',
    dashboard: 'Painel',
    api: 'Referência da API',
    openapi: 'Descrição OpenAPI',
    sources: 'Fontes',
  },
  loading: 'Carregando',
  retry: 'Tentar de novo',
  firstRun: {
    title: 'O catálogo está vazio',
    lead: 'Este serviço é novo. O que fazer agora, com comandos na máquina em que ele roda:',
    import: 'Importar um arquivo: um feed, ou qualquer tabela com --guess',
    sync: 'Copiar do TMDB o que passa onde, ou agendar feeds em sources.json',
    admin: 'Criar uma conta de administrador para as páginas do operador',
    demo: 'Experimentar a demo: um catálogo inventado',
    reload: 'Depois recarregue esta página.',
    forms: 'Um administrador pode fazer o mesmo no navegador, com formulários que mostram o progresso:',
    operator: 'As páginas do operador',
  },
  missing: {
    title: 'Esta página não existe',
    text: 'O endereço pode estar errado, ou a página mudou de lugar.',
    home: 'Para a página inicial',
  },
  unknownCountry: {
    title: (country) => `Este catálogo não inclui: ${country}`,
    choose: 'Países deste catálogo',
    goOn: (country) => `Continuar com ${country}`,
  },
  failure: {
    offline: {
      title: 'Você está offline',
      text: 'Assim que a conexão voltar, esta página continua sozinha.',
    },
    unreachable: {
      title: 'O serviço não pode ser alcançado',
      text: 'Talvez esteja reiniciando. Tente de novo em instantes.',
    },
    busy: {
      title: 'Pedidos demais',
      text: 'Do seu endereço veio mais do que o serviço aceita de uma vez.',
      wait: (seconds) => n(seconds, { one: 'Continua em # segundo', other: 'Continua em # segundos' }),
    },
    notFound: {
      title: 'Não encontrado',
      text: 'O catálogo não conhece isto. Talvez tenha sido removido.',
    },
    refused: {
      title: 'Isto não pode ser mostrado',
      text: 'O endereço pede algo que não existe, ou não existe mais. Recomece pelos links acima.',
    },
    empty: {
      title: 'O catálogo está vazio',
      text: 'O serviço espera sua primeira importação.',
    },
    other: {
      title: 'Algo deu errado',
      text: 'A culpa não é sua.',
    },
    requestId: (id) => `Pedido ${id}`,
  },
}

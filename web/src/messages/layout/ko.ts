import { plural } from '../../i18n/language.ts'
import type { LayoutMessages } from './en.ts'

const n = plural('ko')

export const ko: LayoutMessages = {
  name: 'Marquee',
  skip: '본문으로 건너뛰기',
  nav: {
    label: '페이지',
    browse: '둘러보기',
    new: '신규',
    leaving: '종료 예정',
    upcoming: '공개 예정',
    top: '순위',
    developers: '개발자용',
  },
  search: {
    label: '제목 검색',
    placeholder: '영화와 시리즈 검색',
    results: '찾은 작품',
    all: (text) => `“${text}”와 비슷한 작품 모두 보기`,
    found: (count) => n(count, { other: '작품 #개를 찾았습니다' }),
    none: (text) => `“${text}”와 비슷한 제목이 없습니다. 철자를 확인하거나 단어를 줄여 보세요.`,
    nowhere: '이곳에서는 볼 수 없음',
    types: {
      movie: '영화',
      series: '시리즈',
    },
  },
  country: '국가',
  language: '언어',
  demo: '데모입니다. 작품은 실제이거나 지어낸 것이며, 제공 서비스와 국가, 가격은 모두 가상입니다.',
  demoShort: '데모: 제공 정보는 가상입니다.',
  apply: '적용',
  included: '포함',
  settings: '설정',
  footer: {
    label: '정보',
    what: '어떤 영화와 시리즈를 어디서 볼 수 있는지 알려 줍니다.',
    dashboard: '대시보드',
    api: 'API 레퍼런스',
    openapi: 'OpenAPI 문서',
    sources: '출처',
  },
  loading: '불러오는 중',
  retry: '다시 시도',
  firstRun: {
    title: '카탈로그가 비어 있습니다',
    lead: '새 서비스입니다. 서비스가 실행되는 컴퓨터에서 다음 명령을 실행하세요:',
    import: '파일 가져오기: 피드, 또는 --guess로 아무 표나',
    sync: 'TMDB에서 제공 정보를 가져오거나 sources.json에 피드를 예약하기',
    admin: '운영자 페이지를 위한 관리자 계정 만들기',
    demo: '데모 사용해 보기: 가상의 카탈로그',
    reload: '그런 다음 이 페이지를 새로 고치세요.',
    forms: '관리자는 진행 상황을 보여 주는 양식으로 브라우저에서도 같은 일을 할 수 있습니다:',
    operator: '운영자 페이지',
  },
  missing: {
    title: '없는 페이지입니다',
    text: '주소를 잘못 입력했거나 페이지가 옮겨졌을 수 있습니다.',
    home: '첫 페이지로',
  },
  unknownCountry: {
    title: (country) => `이 카탈로그에는 ${country}이(가) 없습니다`,
    choose: '이 카탈로그의 국가',
    goOn: (country) => `${country}(으)로 계속`,
  },
  failure: {
    offline: {
      title: '오프라인입니다',
      text: '다시 연결되면 이 페이지가 자동으로 이어집니다.',
    },
    unreachable: {
      title: '서비스에 연결할 수 없습니다',
      text: '다시 시작하는 중일 수 있습니다. 잠시 후 다시 시도하세요.',
    },
    busy: {
      title: '요청이 너무 많습니다',
      text: '이 주소에서 서비스가 한 번에 받을 수 있는 것보다 많은 요청이 왔습니다.',
      wait: (seconds) => n(seconds, { other: '#초 후 계속합니다' }),
    },
    notFound: {
      title: '찾을 수 없음',
      text: '카탈로그에 없습니다. 삭제되었을 수 있습니다.',
    },
    refused: {
      title: '표시할 수 없습니다',
      text: '주소가 가리키는 것이 없거나 더는 없습니다. 위 링크에서 다시 시작하세요.',
    },
    empty: {
      title: '카탈로그가 비어 있습니다',
      text: '첫 가져오기를 기다리고 있습니다.',
    },
    other: {
      title: '문제가 발생했습니다',
      text: '사용자의 잘못이 아닙니다.',
    },
    requestId: (id) => `요청 ${id}`,
  },
}

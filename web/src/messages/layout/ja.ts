import { plural } from '../../i18n/language.ts'
import type { LayoutMessages } from './en.ts'

const n = plural('ja')

export const ja: LayoutMessages = {
  name: 'Marquee',
  skip: '本文へ移動',
  nav: {
    label: 'ページ',
    browse: '一覧',
    new: '新着',
    leaving: '終了間近',
    upcoming: '予定',
    top: 'ランキング',
    developers: '開発者向け',
  },
  search: {
    label: '作品名で検索',
    placeholder: '映画やシリーズを検索',
    results: '見つかった作品',
    all: (text) => `「${text}」に似た作品をすべて見る`,
    found: (count) => n(count, { other: '#作品が見つかりました' }),
    none: (text) => `「${text}」に似た作品は見つかりません。つづりを確かめるか、単語を減らしてください。`,
    nowhere: 'ここでは配信なし',
    types: {
      movie: '映画',
      series: 'シリーズ',
    },
  },
  country: '国',
  language: '言語',
  demo: 'これはデモです。作品は実在または架空のもので、配信元、国、価格は架空です。',
  demoShort: 'デモ：配信情報は架空です。',
  apply: '適用',
  included: '見放題対象',
  settings: '設定',
  footer: {
    label: 'このサイトについて',
    what: '映画やシリーズがどこで見られるかを調べられます。',
    dashboard: 'ダッシュボード',
    api: 'APIリファレンス',
    openapi: 'OpenAPI記述',
    sources: '出典',
  },
  loading: '読み込み中',
  retry: 'もう一度試す',
  firstRun: {
    title: 'カタログが空です',
    lead: 'このサービスは始まったばかりです。動作しているマシンで次のコマンドを実行してください：',
    import: 'ファイルを取り込む：フィード、または --guess で任意の表',
    sync: 'TMDBから配信情報を取り込むか、sources.json でフィードを予約する',
    admin: '運営者ページ用の管理者アカウントを作る',
    demo: 'デモを試す：架空のカタログ',
    reload: 'そのあと、このページを再読み込みしてください。',
    forms: '管理者は、進行状況が見えるフォームを使ってブラウザーでも同じことができます：',
    operator: '運営者のページ',
  },
  missing: {
    title: 'ページがありません',
    text: 'アドレスが間違っているか、ページが移動した可能性があります。',
    home: 'トップページへ',
  },
  unknownCountry: {
    title: (country) => `このカタログに${country}は含まれていません`,
    choose: 'このカタログの国',
    goOn: (country) => `${country}で続ける`,
  },
  failure: {
    offline: {
      title: 'オフラインです',
      text: '接続が戻りしだい、このページは自動的に再開します。',
    },
    unreachable: {
      title: 'サービスに接続できません',
      text: '再起動中かもしれません。しばらくしてからもう一度お試しください。',
    },
    busy: {
      title: 'リクエストが多すぎます',
      text: 'このアドレスからのリクエストが一度に受け付けられる数を超えました。',
      wait: (seconds) => n(seconds, { other: '#秒後に再開します' }),
    },
    notFound: {
      title: '見つかりません',
      text: 'カタログにありません。削除された可能性があります。',
    },
    refused: {
      title: '表示できません',
      text: 'アドレスが示すものは存在しないか、なくなりました。上のリンクからやり直してください。',
    },
    empty: {
      title: 'カタログが空です',
      text: '最初の取り込みを待っています。',
    },
    other: {
      title: '問題が発生しました',
      text: 'お使いの環境のせいではありません。',
    },
    requestId: (id) => `リクエスト ${id}`,
  },
}

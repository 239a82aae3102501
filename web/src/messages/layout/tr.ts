import { plural } from '../../i18n/language.ts'
import type { LayoutMessages } from './en.ts'

const n = plural('tr')

export const tr: LayoutMessages = {
  name: 'Marquee',
  skip: 'İçeriğe geç',
  nav: {
    label: 'Sayfalar',
    browse: 'Keşfet',
    new: 'Yeni',
    leaving: 'Gidiyor',
    upcoming: 'Yakında',
    top: 'Zirve',
    developers: 'Geliştiriciler için',
  },
  search: {
    label: 'Yapım ara',
    placeholder: 'Film ve dizi ara',
    results: 'Bulunan yapımlar',
    all: (text) => `“${text}” gibi tüm yapımlar`,
    found: (count) => n(count, { one: '# yapım bulundu', other: '# yapım bulundu' }),
    none: (text) => `“${text}” gibi bir yapım bilinmiyor. Yazımı denetleyin ya da daha az sözcük deneyin.`,
    nowhere: 'Burada izlenemiyor',
    types: { movie: 'Film', series: 'Dizi' },
  },
  country: 'Ülke',
  language: 'Dil',
  demo: 'Bu bir tanıtımdır. Yapımlar gerçek ya da uydurmadır; kimin, nerede ve kaça yayınladığı uydurmadır.',
  demoShort: 'Demo: kimin ne yayınladığı uydurmadır.',
  apply: 'Uygula',
  included: 'Dahil',
  settings: 'Ayarlar',
  footer: {
    label: 'Hakkında',
    what: 'Hangi film ve diziler nerede izlenebilir.',
    dashboard: 'Panel',
    api: 'API başvurusu',
    openapi: 'OpenAPI tanımı',
    sources: 'Kaynaklar',
  },
  loading: 'Yükleniyor',
  retry: 'Yeniden dene',
  firstRun: {
    title: 'Katalog boş',
    lead: 'Bu hizmet yeni. Sırada ne var, çalıştığı makinedeki komutlarla:',
    import: 'Bir dosya içe aktarın: bir besleme ya da --guess ile herhangi bir tablo',
    sync: 'Neyin nerede izlendiğini TMDB’den kopyalayın ya da sources.json ile zamanlayın',
    admin: 'İşletmen sayfaları için bir yönetici hesabı oluşturun',
    demo: 'Demoyu deneyin: uydurma bir katalog',
    reload: 'Sonra bu sayfayı yeniden yükleyin.',
    forms: 'Bir yönetici aynısını tarayıcıda, ilerlemeyi gösteren formlarla yapabilir:',
    operator: 'İşletmen sayfaları',
  },
  missing: {
    title: 'Böyle bir sayfa yok',
    text: 'Adres yanlış yazılmış ya da sayfa taşınmış olabilir.',
    home: 'Ana sayfaya',
  },
  unknownCountry: {
    title: (country) => `Bu katalogda ${country} yok`,
    choose: 'Bu katalogdaki ülkeler',
    goOn: (country) => `${country} ile devam et`,
  },
  failure: {
    offline: { title: 'Çevrimdışısınız', text: 'Bağlantı geri gelince bu sayfa kendiliğinden devam eder.' },
    unreachable: {
      title: 'Hizmete ulaşılamıyor',
      text: 'Yeniden başlıyor olabilir. Birazdan yeniden deneyin.',
    },
    busy: {
      title: 'Çok fazla istek',
      text: 'Adresinizden hizmetin bir seferde kabul ettiğinden fazla istek geldi.',
      wait: (seconds) => n(seconds, { one: '# saniye içinde devam eder', other: '# saniye içinde devam eder' }),
    },
    notFound: { title: 'Bulunamadı', text: 'Katalog bunu bilmiyor. Kaldırılmış olabilir.' },
    refused: {
      title: 'Bu gösterilemiyor',
      text: 'Adres, var olmayan ya da artık olmayan bir şey istiyor. Yukarıdaki bağlantılardan yeniden başlayın.',
    },
    empty: { title: 'Katalog boş', text: 'Hizmet ilk içe aktarmayı bekliyor.' },
    other: { title: 'Bir şeyler ters gitti', text: 'Sizin hatanız değil.' },
    requestId: (id) => `İstek ${id}`,
  },
}

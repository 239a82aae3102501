import { OUTPUT_LANGUAGES } from './language.ts'

/** A genre and its names by language. */
export interface Genre {
  readonly id: string
  readonly names: Readonly<Record<string, string>>
}

export function isGenreId(id: string): boolean {
  return /^[a-z0-9_-]{1,64}$/i.test(id)
}

/** The genre's name in a language, else in English, else its id. */
export function genreName(genre: Genre, language: string): string {
  return genre.names[language] ?? genre.names.en ?? genre.id
}

/** The usual genres of movies and series, named in every output language. */
export const STANDARD_GENRES: readonly Genre[] = [
  // The names of a row come in the order of the output languages: en es fr tr de it pt nl pl sv ja ko.
  ['action', 'Action|Acción|Action|Aksiyon|Action|Azione|Ação|Actie|Akcja|Action|アクション|액션'],
  [
    'adventure',
    'Adventure|Aventura|Aventure|Macera|Abenteuer|Avventura|Aventura|Avontuur|Przygodowy|Äventyr|アドベンチャー|모험',
  ],
  [
    'animation',
    'Animation|Animación|Animation|Animasyon|Animation|Animazione|Animação|Animatie|Animacja|Animation|アニメーション|애니메이션',
  ],
  ['comedy', 'Comedy|Comedia|Comédie|Komedi|Komödie|Commedia|Comédia|Komedie|Komedia|Komedi|コメディ|코미디'],
  ['crime', 'Crime|Crimen|Crime|Suç|Krimi|Poliziesco|Crime|Misdaad|Kryminał|Kriminal|犯罪|범죄'],
  [
    'documentary',
    'Documentary|Documental|Documentaire|Belgesel|Dokumentarfilm|Documentario|Documentário|Documentaire|Dokumentalny|Dokumentär|ドキュメンタリー|다큐멘터리',
  ],
  ['drama', 'Drama|Drama|Drame|Drama|Drama|Drammatico|Drama|Drama|Dramat|Drama|ドラマ|드라마'],
  ['family', 'Family|Familiar|Familial|Aile|Familie|Per famiglie|Família|Familie|Familijny|Familj|ファミリー|가족'],
  [
    'fantasy',
    'Fantasy|Fantasía|Fantastique|Fantastik|Fantasy|Fantasy|Fantasia|Fantasy|Fantasy|Fantasy|ファンタジー|판타지',
  ],
  ['history', 'History|Historia|Histoire|Tarih|Historie|Storico|História|Geschiedenis|Historyczny|Historia|歴史|역사'],
  ['horror', 'Horror|Terror|Horreur|Korku|Horror|Horror|Terror|Horror|Horror|Skräck|ホラー|공포'],
  ['music', 'Music|Música|Musique|Müzik|Musik|Musica|Música|Muziek|Muzyczny|Musik|音楽|음악'],
  [
    'mystery',
    'Mystery|Misterio|Mystère|Gizem|Mystery|Mistero|Mistério|Mysterie|Tajemnica|Mysterium|ミステリー|미스터리',
  ],
  ['news', 'News|Noticias|Actualités|Haber|Nachrichten|Notizie|Notícias|Nieuws|Wiadomości|Nyheter|ニュース|뉴스'],
  [
    'reality',
    'Reality|Telerrealidad|Téléréalité|Reality Şov|Reality-TV|Reality|Reality show|Reality-tv|Reality show|Dokusåpa|リアリティ番組|리얼리티',
  ],
  ['romance', 'Romance|Romance|Romance|Romantik|Romanze|Romantico|Romance|Romantiek|Romans|Romantik|ロマンス|로맨스'],
  [
    'scifi',
    'Science Fiction|Ciencia ficción|Science-fiction|Bilim Kurgu|Science-Fiction|Fantascienza|Ficção científica|Sciencefiction|Science fiction|Science fiction|SF|SF',
  ],
  [
    'talk',
    'Talk Show|Programa de entrevistas|Talk-show|Sohbet Programı|Talkshow|Talk show|Programa de entrevistas|Talkshow|Talk-show|Pratshow|トーク番組|토크쇼',
  ],
  [
    'thriller',
    'Thriller|Suspenso|Thriller|Gerilim|Thriller|Thriller|Suspense|Thriller|Thriller|Thriller|スリラー|스릴러',
  ],
  ['war', 'War|Bélica|Guerre|Savaş|Kriegsfilm|Guerra|Guerra|Oorlog|Wojenny|Krig|戦争|전쟁'],
  ['western', 'Western|Western|Western|Vahşi Batı|Western|Western|Faroeste|Western|Western|Västern|西部劇|서부극'],
].map(([id = '', row = '']) => {
  const texts = row.split('|')
  return { id, names: Object.fromEntries(OUTPUT_LANGUAGES.map((language, i) => [language, texts[i] ?? id])) }
})

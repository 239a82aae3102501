/** Languages in which the demo can put a made-up title. */
export const TITLE_LANGUAGES = ['en', 'es', 'fr', 'de', 'tr', 'ja', 'ko'] as const
export type TitleLanguage = (typeof TITLE_LANGUAGES)[number]
export type TitleWord = Readonly<Record<TitleLanguage, string>>

/** What titles speak of, with the article where the language has one. */
export const THINGS: readonly TitleWord[] = parseTable(`
The House|La casa|La Maison|Das Haus|Ev|家|집
The Garden|El jardín|Le Jardin|Der Garten|Bahçe|庭|정원
The Letter|La carta|La Lettre|Der Brief|Mektup|手紙|편지
The Train|El tren|Le Train|Der Zug|Tren|列車|기차
The Stranger|El extraño|L'Inconnu|Der Fremde|Yabancı|異邦人|이방인
The Doctor|La doctora|Le Docteur|Der Arzt|Doktor|医者|의사
The Girl|La chica|La Fille|Das Mädchen|Kız|少女|소녀
The Boy|El niño|Le Garçon|Der Junge|Oğlan|少年|소년
The Teacher|La maestra|L'Institutrice|Die Lehrerin|Öğretmen|先生|선생님
The Queen|La reina|La Reine|Die Königin|Kraliçe|女王|여왕
The King|El rey|Le Roi|Der König|Kral|王|왕
The Island|La isla|L'Île|Die Insel|Ada|島|섬
The River|El río|La Rivière|Der Fluss|Nehir|川|강
The Road|El camino|La Route|Die Straße|Yol|道|길
The Night|La noche|La Nuit|Die Nacht|Gece|夜|밤
The Secret|El secreto|Le Secret|Das Geheimnis|Sır|秘密|비밀
The Promise|La promesa|La Promesse|Das Versprechen|Yemin|約束|약속
The Dream|El sueño|Le Rêve|Der Traum|Rüya|夢|꿈
The Shadow|La sombra|L'Ombre|Der Schatten|Gölge|影|그림자
The Bird|El pájaro|L'Oiseau|Der Vogel|Kuş|鳥|새
The Wolf|El lobo|Le Loup|Der Wolf|Kurt|狼|늑대
The Horse|El caballo|Le Cheval|Das Pferd|At|馬|말
The Cat|El gato|Le Chat|Die Katze|Kedi|猫|고양이
The Detective|La detective|Le Détective|Der Detektiv|Dedektif|探偵|탐정
The Thief|El ladrón|Le Voleur|Der Dieb|Hırsız|泥棒|도둑
The Witness|La testigo|Le Témoin|Der Zeuge|Tanık|証人|증인
The Lawyer|El abogado|L'Avocat|Der Anwalt|Avukat|弁護士|변호사
The Family|La familia|La Famille|Die Familie|Aile|家族|가족
The Wedding|La boda|Le Mariage|Die Hochzeit|Düğün|結婚式|결혼식
The War|La guerra|La Guerre|Der Krieg|Savaş|戦争|전쟁
The City|La ciudad|La Ville|Die Stadt|Şehir|街|도시
The Village|El pueblo|Le Village|Das Dorf|Köy|村|마을
The Hotel|El hotel|L'Hôtel|Das Hotel|Otel|ホテル|호텔
The School|La escuela|L'École|Die Schule|Okul|学校|학교
The Hospital|El hospital|L'Hôpital|Das Krankenhaus|Hastane|病院|병원
The Theatre|El teatro|Le Théâtre|Das Theater|Tiyatro|劇場|극장
The Door|La puerta|La Porte|Die Tür|Kapı|扉|문
The Window|La ventana|La Fenêtre|Das Fenster|Pencere|窓|창문
The Star|La estrella|L'Étoile|Der Stern|Yıldız|星|별
The Song|La canción|La Chanson|Das Lied|Şarkı|歌|노래
The Book|El libro|Le Livre|Das Buch|Kitap|本|책
The Map|El mapa|La Carte|Die Karte|Harita|地図|지도
The Clock|El reloj|L'Horloge|Die Uhr|Saat|時計|시계
The Sword|La espada|L'Épée|Das Schwert|Kılıç|剣|검
The Machine|La máquina|La Machine|Die Maschine|Makine|機械|기계
The Robot|El robot|Le Robot|Der Roboter|Robot|ロボット|로봇
The Ghost|El fantasma|Le Fantôme|Der Geist|Hayalet|幽霊|유령
The Lighthouse|El faro|Le Phare|Der Leuchtturm|Deniz Feneri|灯台|등대
`)

/** What is said of them: after the thing in European languages, before it in Turkish, Japanese and Korean. */
export const QUALIFIERS: readonly TitleWord[] = parseTable(`
of Glass|de cristal|de verre|aus Glas|Camdan|ガラスの|유리
of the North|del norte|du Nord|im Norden|Kuzeydeki|北の|북쪽의
at Midnight|de medianoche|de minuit|um Mitternacht|Gece Yarısındaki|真夜中の|한밤의
Without a Name|sin nombre|sans nom|ohne Namen|Adsız|名もなき|이름 없는
by the Sea|junto al mar|au bord de la mer|am Meer|Deniz Kıyısındaki|海辺の|바닷가의
in the Rain|bajo la lluvia|sous la pluie|im Regen|Yağmurdaki|雨の中の|빗속의
of Winter|del invierno|de l'hiver|des Winters|Kış Günündeki|冬の|겨울의
of Summer|del verano|de l'été|des Sommers|Yaz Günündeki|夏の|여름의
on the Hill|de la colina|sur la colline|auf dem Hügel|Tepedeki|丘の上の|언덕 위의
of Gold|de oro|en or|aus Gold|Altın|黄金の|황금
of Iron|de hierro|de fer|aus Eisen|Demir|鉄の|강철
of Paper|de papel|de papier|aus Papier|Kâğıttan|紙の|종이
from Nowhere|de ninguna parte|de nulle part|aus dem Nichts|Hiçlikten Gelen|どこにもない|어디에도 없는
in the Mirror|en el espejo|dans le miroir|im Spiegel|Aynadaki|鏡の中の|거울 속의
in the Fog|en la niebla|dans la brume|im Nebel|Sisin İçindeki|霧の中の|안개 속의
Behind the Wall|tras el muro|derrière le mur|hinter der Mauer|Duvarın Ardındaki|壁の向こうの|벽 너머의
of the Moon|de la luna|de la lune|des Mondes|Aydaki|月の|달의
of the Past|del pasado|du passé|der Vergangenheit|Geçmişteki|過去の|과거의
of the Future|del futuro|du futur|der Zukunft|Gelecekteki|未来の|미래의
in the Forest|en el bosque|dans la forêt|im Wald|Ormandaki|森の|숲속의
Under the Bridge|bajo el puente|sous le pont|unter der Brücke|Köprünün Altındaki|橋の下の|다리 밑의
of Two Cities|de dos ciudades|de deux villes|zweier Städte|İki Şehirdeki|二つの街の|두 도시의
in the Desert|en el desierto|dans le désert|in der Wüste|Çöldeki|砂漠の|사막의
of Fire|de fuego|de feu|aus Feuer|Ateşten|炎の|불의
of Salt|de sal|de sel|aus Salz|Tuzdan|塩の|소금
of Yesterday|de ayer|d'hier|von gestern|Dünkü|昨日の|어제의
of Tomorrow|de mañana|de demain|von morgen|Yarınki|明日の|내일의
of Silence|del silencio|du silence|der Stille|Sessiz|沈黙の|침묵의
of Istanbul|de Estambul|d'Istanbul|von Istanbul|İstanbul'daki|イスタンブールの|이스탄불의
of Paris|de París|de Paris|von Paris|Paris'teki|パリの|파리의
of Seoul|de Seúl|de Séoul|von Seoul|Seul'deki|ソウルの|서울의
of Tokyo|de Tokio|de Tokyo|von Tokio|Tokyo'daki|東京の|도쿄의
of Berlin|de Berlín|de Berlin|von Berlin|Berlin'deki|ベルリンの|베를린의
in the Mountains|en las montañas|dans les montagnes|in den Bergen|Dağlardaki|山の|산속의
`)

/** `The House of Glass`, in a language. */
export function qualifiedTitle(thing: TitleWord, qualifier: TitleWord, language: TitleLanguage): string {
  switch (language) {
    case 'ja':
      return qualifier.ja + thing.ja
    case 'tr':
    case 'ko':
      return `${qualifier[language]} ${thing[language]}`
    default:
      return `${thing[language]} ${qualifier[language]}`
  }
}

const AND: Readonly<Record<TitleLanguage, string>> = {
  en: ' and ',
  es: ' y ',
  fr: ' et ',
  de: ' und ',
  tr: ' ile ',
  ja: 'と',
  ko: '와 ',
}

/** `Elena and the Wolf`, in a language. */
export function pairedTitle(first: string, thing: TitleWord, language: TitleLanguage): string {
  const second = thing[language]
  // Only languages with articles open a thing with a word that is small inside a title.
  const hasArticle = language === 'en' || language === 'es' || language === 'fr' || language === 'de'
  return first + conjunction(first, language) + (hasArticle ? second.charAt(0).toLowerCase() + second.slice(1) : second)
}

function conjunction(first: string, language: TitleLanguage): string {
  if (language !== 'ko') return AND[language]
  // Korean says 과 after a syllable that ends in a consonant and 와 after any other.
  const last = first.charCodeAt(first.length - 1)
  const isHangul = last >= 0xac00 && last <= 0xd7a3
  return isHangul && (last - 0xac00) % 28 !== 0 ? '과 ' : AND.ko
}

function parseTable(text: string): TitleWord[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const cells = line.split('|')
      return Object.fromEntries(TITLE_LANGUAGES.map((language, i) => [language, cells[i] ?? ''])) as TitleWord
    })
}

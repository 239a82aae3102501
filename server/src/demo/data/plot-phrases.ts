/** Fragments of English plots. `{}` stands for a place; a fragment without it needs none. */
export const OPENINGS: readonly string[] = lines(`
After years away,
In the last days of a hard winter,
On the eve of an election,
Far from the capital,
When the harvest fails,
Shortly after the war,
In a city that never sleeps,
On the longest night of the year,
During a record heat wave,
Between two storms,
Against the advice of everyone,
With one week left to live,
In a future without oceans,
At the edge of the empire,
Three days before the wedding,
Once a year,
As the old mine closes,
While the power is out,
After a failed heist,
In the shadow of a volcano,
On a research station in the ice,
Following a bitter divorce,
In the summer of the great drought,
Under a new name,
When the ferry stops running,
Long before the railways came,
With the police closing in,
At the height of the jazz age,
In a kingdom ruled by magic,
After the funeral,
Against a ticking clock,
On board a drifting freighter,
At an elite boarding school,
In the middle of a championship season,
Soon after the plague,
As the comet draws near,
`)

export const HEROES: readonly string[] = lines(`
a retired detective
an estranged sister
a young cellist
an ambitious reporter
a widowed fisherman
a runaway heiress
a small-town sheriff
a gifted hacker
an ageing boxer
a shy librarian
a band of thieves
a disgraced surgeon
an orphaned boy
a stubborn farmer
a struggling actress
a newly elected mayor
a family of acrobats
an honest customs officer
a lonely lighthouse keeper
a former spy
a group of students
a reluctant bodyguard
a night nurse
a travelling salesman
a blind pianist
the crew of a deep-sea vessel
a rookie prosecutor
an insurance investigator
a teenage witch
a war photographer
an immigrant baker
a washed-up rock singer
a chess prodigy
a mountain guide
a childhood sweetheart
a divorced taxi driver
a royal messenger
a botanist with a secret
an undercover agent
a grieving mother
a clumsy inventor
an exiled prince
a marine biologist
a bounty hunter
a junior diplomat
a village teacher
an escaped convict
a museum guard
an android built for kindness
a pair of rival chefs
an astronaut on her final mission
a suburban couple
a forgetful grandfather
a kind-hearted vampire
a jazz trumpeter
a stunt driver
a kindergarten class
a nervous bride
a wandering samurai
a football coach
an art forger
a radio host
a cynical lawyer
a lost dog
an idealistic architect
a pirate captain
`)

export const DEEDS: readonly string[] = lines(`
returns to {} to settle an old debt
must cross the desert to reach {}
takes over a failing hotel in {}
is hired to find a missing child in {}
discovers a tunnel beneath {}
falls in love with the wrong person
joins an expedition to the frozen north
hides a wanted man in the cellar
inherits a crumbling theatre in {}
plans one last robbery
is mistaken for a famous surgeon
receives letters from a stranger in {}
tries to stop a war nobody wants
enters a cooking contest to save the family inn
hunts the killer who got away
agrees to share a flat with a sworn enemy
wakes up with no memory in {}
opens a school for unwanted children
bets everything on a lame horse
smuggles medicine across the border
is chosen to lead the colony on a dying moon
searches the archives of {} for a lost symphony
investigates a string of fires in {}
gets trapped in an abandoned hospital
sets out to climb the mountain that took a brother
pretends to be married for a single weekend
finds a map to a sunken city
takes the night train to {}
trains a team of misfits for the national finals
guards a witness through one endless night
moves to {} and buys a haunted mill
builds a machine that can record dreams
is sent back to {} as a double agent
defends a client whom everyone believes guilty
adopts an orphan with strange powers
steals a painting from the governor of {}
loses a fortune in a single card game
leads a strike at the shipyards of {}
makes a pact with a forgotten spirit
witnesses a murder through a hotel window
drives a stolen bus from {} to the coast
befriends the last dragon of the valley
is accused of poisoning the duke
uncovers corruption in the police force of {}
spends a summer with unknown relatives in {}
founds a newspaper in occupied {}
fakes an accident to escape the mob
repairs an old radio that picks up the future
crash-lands near a settlement called {}
looks after a mysterious patient
writes a novel that begins to come true
organises a concert in the ruins of {}
fights to keep the family vineyard
swaps lives with a perfect double
follows a trail of stolen diamonds to {}
`)

export const TURNS: readonly string[] = lines(`
but a hidden letter changes everything
only to learn that the dead do not rest
while a rival closes in
and finds an unlikely friend
until a storm cuts off the town
but the past has a long memory
with only a broken compass to help
and uncovers a conspiracy of the powerful
but nobody believes the story
as old loyalties begin to crack
and must choose between love and duty
while the clock runs down
but someone has been there before
and sets off a chain of comic disasters
with a killer on board
as the border is about to close
and learns what courage costs
but trust proves a dangerous luxury
while a whole nation watches
and awakens something ancient
until a child asks the right question
but every clue leads back home
and risks a newly found happiness
with the help of a talking parrot
as winter sets in
but the price is higher than expected
and falls for the chief suspect
while the secret police listen in
until the last bridge is blown
and discovers a talent nobody suspected
but the treasure is not what it seems
as two families go to war
and is hunted by former comrades
with unforeseen consequences
but a blackmailer knows the truth
and has to begin again
while strange lights fill the sky
until an old flame turns up
and gambles with other people's lives
but the machine has a will of its own
`)

export const CLOSINGS: readonly string[] = lines(`
Nothing in the town is what it seems.
Some doors are better left closed.
A story about second chances.
Not everyone will see the morning.
The truth arrives late, and in disguise.
Every choice leaves a mark.
A warm comedy of errors.
Friendship turns out to be the real prize.
The jury has until dawn.
A chase across three continents begins.
And the neighbours are watching.
Old wounds open again.
The sea keeps its own accounts.
What follows is a duel of wits.
Only music can save them.
Soon the hunter is the hunted.
Told over a single night.
A portrait of a family in the storm.
There is no way back.
Love was never part of the plan.
A legend is born.
The city will never be the same.
Based on tales told in the mountains.
Revenge has to wait its turn.
It begins with a simple mistake.
Then the phone rings.
Somebody is lying.
A quiet tale of grief and hope.
Their luck is about to run out.
History has other plans.
`)

/** What is added where a plot would be short. */
export const ASIDES: readonly string[] = lines(`
Meanwhile an old friend asks for a dangerous favour.
Far away, a stranger reads the same headline twice.
And nobody in the valley will speak of what happened there.
Before the summer ends, all of them will have something to hide.
By the time help arrives, the rules have changed.
Between laughter and tears, a new family takes shape.
What looks like luck turns out to be a careful plan.
In the end it takes an outsider to see what is missing.
A forgotten photograph holds the key to it all.
Slowly the whole neighbourhood is drawn into the game.
Her only ally is a man who has never told the truth.
The answer lies at the bottom of the lake.
`)

/** Plots in other languages, told in fewer fragments: who, what, and how it turns. `{}` stands for a place. */
export const FOREIGN_PLOTS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  es: [
    lines(`
Una detective retirada
Un joven músico
Una viuda obstinada
Un pescador viudo
Una periodista sin miedo
Un ladrón de buen corazón
La tripulación de un viejo carguero
Una maestra de pueblo
Un boxeador en decadencia
Un grupo de amigos de la infancia
`),
    lines(`
vuelve a {} para saldar una vieja deuda
hereda un teatro en ruinas en {}
busca a un niño desaparecido en {}
prepara el último golpe de su vida
encuentra el mapa de una ciudad hundida
se enamora de la persona equivocada
descubre un túnel bajo las calles de {}
abre una escuela en plena guerra
despierta sin memoria lejos de {}
`),
    lines(`
, pero una carta escondida lo cambia todo.
, hasta que una tormenta aísla el lugar.
y desata una cadena de desastres cómicos.
mientras alguien vigila cada paso desde la sombra.
y aprende el verdadero precio del valor.
, aunque nadie quiere creer su historia.
y despierta algo muy antiguo.
`),
  ],
  fr: [
    lines(`
Une enquêtrice à la retraite
Un jeune violoncelliste
Une veuve obstinée
Un pêcheur veuf
Une journaliste obstinée
Un voleur au grand cœur
L'équipage d'un vieux cargo
Une institutrice de campagne
Un boxeur sur le déclin
Une bande d'amis d'enfance
`),
    lines(`
revient à {} pour régler une vieille dette
hérite d'un théâtre en ruine à {}
recherche un enfant disparu à {}
prépare un dernier coup
découvre la carte d'une cité engloutie
vit un amour impossible
trouve un tunnel sous les rues de {}
ouvre une école en pleine guerre
se réveille sans mémoire loin de {}
`),
    lines(`
, mais une lettre cachée change tout.
jusqu'à ce qu'une tempête coupe la ville du monde.
et déclenche une série de catastrophes comiques.
tandis que quelqu'un guette dans l'ombre.
et apprend le vrai prix du courage.
, bien que personne ne croie son histoire.
et réveille une force très ancienne.
`),
  ],
  tr: [
    lines(`
Emekli bir dedektif
Genç bir müzisyen
Birbirine küs iki kız kardeş
Dul bir balıkçı
Gözü pek bir gazeteci
İyi kalpli bir hırsız
Eski bir yük gemisinin mürettebatı
Bir köy öğretmeni
Ringlere veda etmiş bir boksör
Çocukluktan beri arkadaş olan üç kişi
`),
    lines(`
eski bir hesabı kapatmak için {} kasabasına döner
{} kasabasında yıkık bir tiyatroyu miras alır
{} kasabasında kaybolan bir çocuğu arar
hayatının son soygununu planlar
batık bir şehrin haritasını bulur
yanlış kişiye âşık olur
{} sokaklarının altında gizli bir tünel keşfeder
savaşın ortasında bir okul açar
{} uzağında hafızasını yitirmiş hâlde uyanır
`),
    lines(`
, ama saklı bir mektup her şeyi değiştirir.
; sonra bir fırtına kasabanın dünyayla bağını koparır.
ve birbiri ardına komik felaketlere yol açar.
; bu sırada biri her adımı gölgelerden izlemektedir.
ve cesaretin gerçek bedelini öğrenir.
, fakat kimse anlattıklarına inanmaz.
ve çok eski bir gücü uyandırır.
`),
  ],
  de: [
    lines(`
Eine Kommissarin im Ruhestand
Ein junger Cellist
Ein verwitweter Fischer
Eine hartnäckige Reporterin
Ein Dieb mit gutem Herzen
Eine Dorflehrerin
Ein alternder Boxer
`),
    lines(`
kehrt nach {} zurück, um eine alte Schuld zu begleichen
erbt ein verfallenes Theater in {}
sucht in {} nach einem vermissten Kind
plant den letzten großen Coup
findet die Karte einer versunkenen Stadt
verliebt sich zur falschen Zeit
entdeckt einen Tunnel unter {}
`),
    lines(`
, doch ein versteckter Brief ändert alles.
, bis ein Sturm den Ort von der Welt abschneidet.
und löst eine Kette komischer Katastrophen aus.
und lernt, was Mut wirklich kostet.
, doch niemand glaubt die Geschichte.
und weckt etwas sehr Altes.
`),
  ],
  ja: [
    lines(`
引退した刑事が
若き音楽家が
仲たがいした姉妹が
妻を亡くした漁師が
恐れを知らない記者が
心優しい泥棒が
村の教師が
`),
    lines(`
古い借りを返すため{}に帰ってくる
{}の廃れた劇場を受け継ぐ
{}で消えた子どもを捜す
人生最後の大仕事をたくらむ
沈んだ都の地図を見つける
許されない恋に落ちる
{}の地下に秘密の道を見つける
`),
    lines(`
。だが隠された一通の手紙がすべてを変える。
。やがて嵐が町を孤立させる。
。そして思いがけない騒動が続いていく。
。それは勇気の本当の値段を知る旅だった。
。しかし誰もその話を信じない。
`),
  ],
  ko: [
    lines(`
은퇴한 형사가
젊은 음악가가
사이가 틀어진 두 자매가
아내를 잃은 어부가
겁 없는 기자가
마음씨 고운 도둑이
시골 학교 선생님이
`),
    lines(`
오랜 빚을 갚으러 {}(으)로 돌아온다
{}의 낡은 극장을 물려받는다
{}에서 사라진 아이를 찾아 나선다
인생의 마지막 한탕을 꾸민다
물에 잠긴 도시의 지도를 발견한다
이루어질 수 없는 사랑에 빠진다
{}의 지하에서 비밀 통로를 발견한다
`),
    lines(`
. 그러나 숨겨진 편지 한 통이 모든 것을 바꾼다.
. 곧 폭풍이 마을을 고립시킨다.
. 그리고 우스운 소동이 꼬리를 물고 이어진다.
. 용기의 진짜 값을 배우게 되는 여정이다.
. 하지만 아무도 그 이야기를 믿지 않는다.
`),
  ],
}

function lines(text: string): string[] {
  return text.trim().split('\n')
}

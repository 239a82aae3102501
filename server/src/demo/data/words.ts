/** Words from which English titles are made. */
export const ADJECTIVES: readonly string[] = (
  'Abandoned Amber Ancient Angry Bitter Black Blind Blue Borrowed Brave Bright Broken Buried Burning Careless Clever Cold Common ' +
  'Counterfeit Crimson Crooked Crowded Cruel Curious Dangerous Daring Dark Dead Deep Devoted Distant Divided Double Drowned ' +
  'Early Electric Elegant Emerald Empty Endless Enchanted Eternal Fading Faithful Fallen False Familiar Fatal Fearless Feral ' +
  'Fierce Final First Foolish Forbidden Foreign Forgotten Fortunate Fragile Frozen Gentle Giant Gilded Glass Golden Good Grand ' +
  'Great Green Grey Guilty Half Hallowed Happy Hard Haunted Heavy Hidden High Hollow Holy Honest Hopeful Hungry Idle Imaginary ' +
  'Impossible Infinite Innocent Invisible Iron Ivory Jealous Kind Last Late Lawless Lazy Little Living Lonely Long Lost Loud ' +
  'Lovely Loyal Lucky Lunar Mad Magnetic Marble Merciless Midnight Minor Missing Modern Moonlit Mortal Mute Naked Narrow ' +
  'Nameless New Nocturnal Northern Numb Obedient Odd Old Only Open Ordinary Outer Painted Pale Paper Patient Perfect Perpetual ' +
  'Phantom Polite Poor Precious Private Proud Quiet Quick Radiant Rare Reckless Red Reluctant Restless Rising Rolling Rotten ' +
  'Royal Ruined Rusty Sacred Sad Salt Savage Scarlet Second Secret Selfish Serene Shallow Sharp Shattered Shining Short Silent ' +
  'Silver Simple Sinking Sleeping Slow Small Solar Solemn Southern Spare Stolen Stony Stormy Strange Stubborn Sudden Sunken ' +
  'Sunny Sweet Tame Tangled Tender Terrible Third Thirsty Tidal Timeless Tiny Tired Torn Total Toxic Tragic Tropical True ' +
  'Twisted Ultimate Unbroken Uncertain Unfinished Unkind Unlikely Unspoken Untamed Vacant Vagrant Vanishing Velvet Vicious ' +
  'Violet Wandering Warm Wasted Weary Western Whispering White Wicked Wild Winding Wise Wonderful Wooden Wounded Yellow Young'
).split(' ')

export const NOUNS: readonly string[] = (
  'Absence Accident Acrobat Actor Admiral Affair Agent Airport Album Alibi Alley Almanac Ambition Anchor Angel Animal Answer ' +
  'Apartment Appetite Apprentice April Archer Archive Arena Army Arrow Artist Ash Asylum Atlas Attic Auction August Autumn ' +
  'Avalanche Baker Balcony Ballad Balloon Bandit Bargain Barrel Bay Beacon Bear Beast Beggar Beginning Bell Bet Bicycle ' +
  'Biographer Bishop Blizzard Blossom Boat Bodyguard Bone Border Botanist Bounty Box Bread Brewery Bride Bridge Broadcast ' +
  'Brother Builder Bullet Butcher Butterfly Cabin Cabinet Calendar Camera Canal Candidate Candle Canyon Captain Caravan Card ' +
  'Cargo Carnival Carpenter Cartographer Casino Castle Caterer Cathedral Cave Cellar Ceremony Chain Chair Champion Chapel ' +
  'Charm Chase Chauffeur Chef Chess Child Choir Circle Circus Clerk Cliff Climb Clinic Cloud Clown Coast Cobbler Code Coin ' +
  'Collector College Colony Comet Companion Compass Composer Concert Confession Conspiracy Constable Contract Convoy Cook ' +
  'Copper Corner Corridor Cottage Council Countess Country Courage Court Cousin Cowboy Crater Creek Crew Cricket Crossing ' +
  'Crow Crown Cure Curse Curtain Custom Dancer Daughter Dawn Day Deal Debt Decade December Deception Deer Delivery Deputy ' +
  'Desert Diamond Diary Dinner Diplomat Disciple Distance Diver Divorce Dog Dollar Dolphin Dragon Drifter Driver Drought Drum ' +
  'Duchess Duel Dust Eagle Earth Echo Eclipse Editor Elephant Elevator Emperor Empire Engine Engineer Enemy Errand Escape ' +
  'Estate Evening Evidence Exile Exit Expedition Experiment Explorer Eye Factory Falcon Farewell Farm Father Favour Feast ' +
  'Feather Fence Ferry Festival Fever Field Fight Fire Fisherman Flame Flight Flood Flower Flute Folly Forest Forger Fort ' +
  'Fortune Fountain Fox Friend Frontier Frost Fugitive Funeral Future Galaxy Gallery Gamble Game Gardener Gate General Gentleman ' +
  'Ghost Giant Gift Glacier Glove Goat Gold Gospel Governess Governor Grandmother Grave Guard Guest Guide Guitar Gull Habit ' +
  'Hammer Hand Handshake Harbour Harvest Hawk Healer Heart Heaven Heir Heist Herd Hermit Hero Highway Hill Holiday Home Honey ' +
  'Honour Hope Horizon Hostage Hour Hunter Hurricane Hypothesis Ice Idol Illusion Impostor Inheritance Inn Inspector Instinct ' +
  'Invention Invitation Iris Jailer January Jewel Joke Journal Journey Judge Juggler July Jungle Jury Justice Kettle Key Kingdom ' +
  'Kitchen Kite Knife Knight Laboratory Labyrinth Ladder Lady Lake Lamp Landlord Lantern Laughter Law Leap Legacy Legend Lemon ' +
  'Lesson Library Licence Lie Life Light Lily Lion Locket Longing Loop Lottery Love Lover Lullaby Machine Magician Maid Mailman ' +
  'Manor Mansion Marathon March Mariner Market Marriage Marsh Mask Master Maze Meadow Measure Mechanic Medal Melody Memory ' +
  'Merchant Messenger Meteor Mile Mill Miner Minister Miracle Mirage Mission Mist Mistake Model Monastery Money Monk Monsoon ' +
  'Monster Monument Moon Morning Mother Motel Mountain Mouse Movement Museum Musician Mutiny Myth Nanny Narrator Nation ' +
  'Navigator Needle Neighbour Nest Nightingale Nomad Noon November Number Nurse Oath Ocean October Officer Olive Opera Oracle ' +
  'Orange Orbit Orchard Orchestra Orchid Order Orphan Outlaw Outpost Owl Ox Pact Painter Palace Panther Parade Paradise Parcel ' +
  'Pardon Parlour Passage Passenger Passport Past Patient Patrol Peace Peak Pearl Peasant Pendulum Penny People Perfume Phoenix ' +
  'Photograph Pianist Piano Pigeon Pilgrim Pilot Pioneer Pirate Planet Player Plot Poacher Poem Poet Poison Politician Portrait ' +
  'Postcard Potter Prairie Prayer Preacher Premonition Prisoner Prize Problem Professor Prophecy Prophet Province Psychic Puppet ' +
  'Quarrel Quarry Quartet Question Rabbit Race Radio Railway Rain Ranger Raven Rebel Recipe Recital Record Refuge Refugee Regret ' +
  'Rehearsal Reign Relic Remedy Rescue Reservoir Retreat Return Reunion Revenge Reward Rhyme Rhythm Riddle Ridge Riot Ritual ' +
  'Rival Roof Room Rose Roulette Route Rumour Runner Sabotage Saddle Sailor Saint Sanctuary Sand Satellite Savage Scandal Scar ' +
  'Scholar Scientist Score Scout Sculptor Sea Season Secretary Senator Sentence September Sermon Servant Shepherd Sheriff Ship ' +
  'Shore Signal Silence Sinner Siren Sister Skater Sky Smuggler Snow Soldier Son Sorcerer Sorrow Soul Spark Sparrow Speech Spider ' +
  'Spiral Spring Spy Square Stage Stairs Station Statue Steel Stone Storm Story Student Summer Summit Sunday Surgeon Surrender ' +
  'Survivor Swan Swimmer Symphony Table Tailor Tale Tango Target Taxi Tea Teacher Telegram Temple Tenant Tenor Test Theory Thirst ' +
  'Thorn Thread Throne Thunder Ticket Tide Tiger Timber Tomb Tornado Tower Toy Trail Traitor Translator Traveller Treasure Treaty ' +
  'Tree Trial Tribe Trick Troop Truce Trumpet Truth Tunnel Tutor Twilight Twin Tycoon Umbrella Uncle Union Universe Uprising Valley ' +
  'Vault Verdict Veteran Victory Vineyard Violin Visit Visitor Voice Volcano Vow Voyage Wager Waiter Waltz Wanderer Warden Warrior ' +
  'Watchmaker Water Wave Weather Weaver Wedding Week Well Whale Wheel Whisper Widow Wife Wind Wine Wing Winter Wish Witch Witness ' +
  'Wonder Wood Word Workshop World Wound Writer Year Zone'
).split(' ')

export const GERUNDS: readonly string[] = (
  'Answering Becoming Borrowing Burying Calling Carrying Chasing Counting Crossing Dreaming Escaping Facing Finding Following ' +
  'Forgetting Forgiving Guarding Haunting Hiding Hunting Inventing Keeping Killing Knowing Leaving Losing Loving Marrying Meeting ' +
  'Missing Outrunning Painting Raising Reading Remembering Rescuing Saving Searching Selling Stealing Teaching Tracing Trusting ' +
  'Visiting Waiting Waking Watching Wearing Welcoming'
).split(' ')

export const NUMBER_WORDS: readonly string[] =
  'Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Forty Hundred'.split(' ')

/** Titles that have been given again and again. */
export const COMMON_TITLES: readonly string[] = (
  'Home|The Return|Shadows|Alone|Gone|The Visit|Legacy|The Gift|Eden|Fallout|Blackout|Haven|The Guest|Aftermath|Bliss|Run|Trust|' +
  'Exile|The Stranger|Monster|Heat|Fever|Frozen Ground|The Crossing|Paradise|Redemption|The Hunt|Obsession|Awake|Chaos|The Island|' +
  'Vengeance|Lost|The Deep|Survivor|Hunted|The Wall|Dust|Ashes|Origin|Nomad|Mirage|Reunion|Infinity|The Promise|Twins|Stay|Pulse|Ember'
).split('|')

/** The halves of place names. */
export const PLACE_HEADS: readonly string[] = (
  'Ash Alder Amber Arl Bal Barrow Bel Birch Black Bram Bren Bright Brook Cald Carn Cedar Clay Cold Cor Crest Dal Dorn Dun East Eden ' +
  'Elm Ever Fair Fal Fern Fox Glen Gold Grim Hal Harrow Hart Hazel Heron High Hol Iron Kel Ken Kings Lang Lark Lin Long Lyn Mal Mar ' +
  'Mill Mor Nether New Nor Oak Old Or Pem Pine Queens Rav Red Rock Rose Sal Sand Shel Silver Stan Stone Sul Swan Tam Thorn Tor Tre ' +
  'Upper Val Ver Wal War Wen West White Wil Win Wolf Wynd Yar'
).split(' ')

export const PLACE_TAILS: readonly string[] = (
  'bourne bridge brook burgh bury by chester church combe cott cross dale dean den don ester fell field ford gate grove ham haven holm ' +
  'hurst ing ingham leigh ley low marsh mere minster mont moor mouth ness over port ridge sea shaw side stead stoke stone thorpe ton ' +
  'vale view ville wall water well wich wick wold wood worth'
).split(' ')

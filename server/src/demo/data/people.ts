import type { Random } from '../random.ts'

const FIRST_NAMES: readonly string[] = (
  'Ada Adam Adrian Agnes Aisha Akira Alan Alba Alec Alexandra Alice Alma Amara Amelia Amir Ana Anders Andrea Anika Anna Anton Ariel ' +
  'Arthur Astrid Aurora Axel Ayla Beatriz Ben Bianca Boris Brigitte Bruno Camille Carla Carlos Cedric Chiara Chloe Clara Claude Colin ' +
  'Cora Cyrus Dana Daniel Daria David Deniz Diana Diego Dominic Dora Edgar Edith Elena Eli Elif Elisa Ella Elliot Emil Emma Enzo Eric ' +
  'Esme Esther Eva Fatima Felix Fernanda Fiona Florian Frances Frida Gabriel Gemma George Gina Giulia Grace Greta Gustav Hana Hannah ' +
  'Harold Hector Helen Henrik Hugo Ian Ibrahim Ida Ines Ingrid Irene Iris Isaac Isabel Ivan Ivy Jack Jakob Jamal James Jana Jasmin ' +
  'Javier Jean Jin Joanna Joel Johan Jonas Jordan Josef Juan Julia Julian June Kaan Kai Karim Karin Kate Keiko Kenji Kerem Klara Kofi ' +
  'Lara Lars Laura Layla Lea Lena Leo Leonor Liam Lina Linus Lola Louis Luca Lucia Ludovic Luis Luna Lydia Mads Maja Manuel Mara Marc ' +
  'Margot Maria Mariko Marlon Marta Martin Matilda Max Maya Mehmet Mei Mia Michel Mila Milo Min Miriam Mona Nadia Naomi Natalie Nathan ' +
  'Nell Nico Nina Noah Noor Nora Odette Olga Oliver Omar Oscar Otto Pablo Paula Pavel Pedro Petra Philip Pia Priya Quentin Rafael Rania ' +
  'Raquel Ravi Rebecca Renata Rita Robin Rosa Rowan Ruben Ruth Sami Samuel Sana Sara Sasha Selim Selma Silvia Simon Sofia Sonja Stefan ' +
  'Stella Sven Tamara Tara Tariq Teo Teresa Theo Tilda Tobias Tomas Uma Ursula Vera Victor Viola Walter Wanda Wei Willa Xavier Yara Yasmin ' +
  'Yuki Yusuf Zara Zeynep Zoe'
).split(' ')

const SURNAME_HEADS: readonly string[] = (
  'Abra Alt Ander Ar Bara Bar Berg Bern Bian Bor Bran Cal Car Castel Cor Cos Dam Del Der Dom Dra Eber Ek El Es Fal Far Fer Fis Flor Fon ' +
  'Gar Gil Gra Gron Gul Hal Han Har Hel Her Hof Hol Ing Iva Jan Jar Kal Kam Kar Kel Kor Kov Lam Lar Lev Lin Lor Lun Mal Man Mar Mel Mon ' +
  'Mor Nav Nor Ols Or Pal Par Pet Pol Por Ram Rav Ren Rin Ros Sal San Sar Sel Sol Sor Stein Sul Tal Tan Tor Val Var Ver Vil Wal Wes Win Zan'
).split(' ')

const SURNAME_TAILS: readonly string[] = (
  'a acci adze ado ai ali ama an ano ard aro ati au ay berg burg der dorf e eda eira ek ell elli em en enko er ero es ev ez fors gaard i ic ' +
  'idis ier in ini is kin land ley lund man mann mark mont nik o off ola olu on oni os oux ova ović owski quist son stad stein ström sen ton ura us well y'
).split(' ')

/** A made-up person's family name. */
export function pickSurname(random: Random): string {
  return random.pick(SURNAME_HEADS) + random.pick(SURNAME_TAILS)
}

export function pickFirstName(random: Random): string {
  return random.pick(FIRST_NAMES)
}

/** A made-up person. Some are met far more often than others, as actors are. */
export function generatePerson(random: Random): string {
  return `${random.pick(FIRST_NAMES)} ${random.pickEarly(SURNAME_HEADS)}${random.pickEarly(SURNAME_TAILS)}`
}

/** Several different people. */
export function generatePeople(random: Random, count: number): string[] {
  const list: string[] = []
  for (let i = 0; i < count; i++) {
    const name = generatePerson(random)
    if (!list.includes(name)) list.push(name)
  }
  return list
}

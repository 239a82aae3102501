/** The number of bits that are set in a 32-bit word. */
export function popcount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/**
 * The number of bits that are set in an array whose length is a multiple of 8. Harley-Seal: carry-save adders reduce
 * eight words to one whose bits count eightfold, which halves the time of counting word by word.
 */
export function popcountWords(words: Uint32Array): number {
  let ones = 0
  let twos = 0
  let fours = 0
  let eights = 0
  for (let i = 0; i < words.length; i += 8) {
    const a = words[i] as number
    const b = words[i + 1] as number
    const c = words[i + 2] as number
    const d = words[i + 3] as number
    const e = words[i + 4] as number
    const f = words[i + 5] as number
    const g = words[i + 6] as number
    const h = words[i + 7] as number
    let half = ones ^ a
    const twosA = (ones & a) | (half & b)
    ones = half ^ b
    half = ones ^ c
    const twosB = (ones & c) | (half & d)
    ones = half ^ d
    half = twos ^ twosA
    const foursA = (twos & twosA) | (half & twosB)
    twos = half ^ twosB
    half = ones ^ e
    const twosC = (ones & e) | (half & f)
    ones = half ^ f
    half = ones ^ g
    const twosD = (ones & g) | (half & h)
    ones = half ^ h
    half = twos ^ twosC
    const foursB = (twos & twosC) | (half & twosD)
    twos = half ^ twosD
    half = fours ^ foursA
    eights += popcount((fours & foursA) | (half & foursB))
    fours = half ^ foursB
  }
  return 8 * eights + 4 * popcount(fours) + 2 * popcount(twos) + popcount(ones)
}

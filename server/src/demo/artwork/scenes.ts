import type { Random } from '../random.ts'

/** Colours that match: a dark ground, the sky, two strong tones, and a light one for text. */
export interface Palette {
  readonly ground: string
  readonly sky: string
  readonly main: string
  readonly second: string
  readonly light: string
}

/** The names of the scenes. */
export type SceneName = 'hills' | 'rings' | 'city' | 'peaks' | 'tiles' | 'waves' | 'planet' | 'discs' | 'woods' | 'rays'

/** The size and colours that a scene is drawn with. */
interface Canvas {
  readonly width: number
  readonly height: number
  readonly palette: Palette
  readonly random: Random
}

/** The geometric scenes of posters. Each returns SVG shapes, which are drawn over the sky. */
export const SCENES: Readonly<Record<SceneName, (canvas: Canvas) => string>> = {
  /** A low sun behind rolling hills. */
  hills({ width, height, palette, random }) {
    const r = Math.min(width, height) * randomBetween(random, 0.17, 0.27)
    const x = width * randomBetween(random, 0.3, 0.72)
    const y = height * randomBetween(random, 0.26, 0.42)
    let out =
      circle(x, y, r * 1.5, palette.second, 0.14) +
      circle(x, y, r * 1.22, palette.second, 0.2) +
      circle(x, y, r, palette.second)
    const tones = [
      mixColors(palette.sky, palette.main, 0.75),
      mixColors(palette.main, palette.ground, 0.35),
      mixColors(palette.sky, palette.ground, 0.55),
      palette.ground,
    ]
    tones.forEach((tone, i) => {
      const top = height * (0.46 + i * 0.115)
      const swing = height * randomBetween(random, 0.02, 0.055)
      const shift = random.next() * width
      out += path(ridge(width, height, top, swing, shift, 3 + (i % 2)), tone)
    })
    return out
  },

  /** Concentric rings, each with a gap. */
  rings({ width, height, palette, random }) {
    const x = width * randomBetween(random, 0.42, 0.66)
    const y = height * randomBetween(random, 0.34, 0.46)
    const unit = Math.min(width, height) * 0.072
    const tones = [palette.main, palette.second, palette.light, mixColors(palette.main, palette.sky, 0.5)]
    let out = circle(x, y, unit * 1.1, palette.second)
    for (let i = 2; i <= 8; i++) {
      const r = unit * i
      const length = 2 * Math.PI * r
      const open = length * randomBetween(random, 0.12, 0.5)
      out += `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}" fill="none" stroke="${tones[i % tones.length]}" stroke-width="${round(unit * randomBetween(random, 0.22, 0.62))}" stroke-dasharray="${round(length - open)} ${round(open)}" transform="rotate(${random.int(360)} ${round(x)} ${round(y)})" opacity="${(1 - i * 0.075).toFixed(2)}"/>`
    }
    return out
  },

  /** A skyline by night under a large moon. */
  city({ width, height, palette, random }) {
    let out = circle(
      width * randomBetween(random, 0.25, 0.75),
      height * 0.3,
      Math.min(width, height) * randomBetween(random, 0.14, 0.22),
      palette.second,
      0.95,
    )
    const rows = [
      mixColors(palette.sky, palette.main, 0.3),
      mixColors(palette.sky, palette.ground, 0.5),
      palette.ground,
    ]
    for (const [row, tone] of rows.entries()) {
      let shape = `M0 ${height}`
      let windows = ''
      for (let x = -4; x < width; ) {
        const w = width * randomBetween(random, 0.06, 0.13)
        const top = height * (0.4 + row * 0.12 + random.next() * 0.16)
        shape += `V${round(top)}H${round(x + w)}`
        if (row === 2) {
          for (let k = 0; k < 3; k++) {
            windows += `M${round(x + w * (0.2 + 0.3 * random.int(3)))} ${round(top + 10 + 16 * random.int(7))}h5v8h-5z`
          }
        }
        x += w
      }
      out += path(`${shape}V${height}Z`, tone) + (windows === '' ? '' : path(windows, palette.second, 0.85))
    }
    return out
  },

  /** Mountains with lit faces. */
  peaks({ width, height, palette, random }) {
    let out = circle(
      width * randomBetween(random, 0.2, 0.8),
      height * 0.24,
      Math.min(width, height) * randomBetween(random, 0.08, 0.15),
      palette.light,
      0.9,
    )
    for (let row = 0; row < 3; row++) {
      const tone = mixColors(palette.main, palette.ground, 0.2 + row * 0.34)
      for (let i = 0; i < 3; i++) {
        const x = width * ((i + randomBetween(random, 0.05, 0.6)) / 2.6)
        const top = height * (0.3 + row * 0.14 + random.next() * 0.12)
        const half = width * randomBetween(random, 0.3, 0.46)
        out += path(`M${round(x)} ${round(top)}L${round(x + half)} ${height}H${round(x - half)}Z`, tone)
        out += path(
          `M${round(x)} ${round(top)}L${round(x + half)} ${height}H${round(x + half * 0.24)}L${round(x - half * 0.05)} ${round(top + (height - top) * 0.42)}Z`,
          row === 0 ? palette.second : tone,
          row === 0 ? 0.5 : 0,
        )
      }
    }
    return out
  },

  /** A grid of quarter discs. */
  tiles({ width, height, palette, random }) {
    const columns = width > height ? 7 : 4
    const side = width / columns
    const tones = [
      palette.main,
      palette.second,
      palette.light,
      mixColors(palette.main, palette.sky, 0.55),
      palette.ground,
    ]
    let out = ''
    for (let y = 0; y * side < height; y++) {
      for (let x = 0; x < columns; x++) {
        const left = x * side
        const top = y * side
        out += `<rect x="${round(left)}" y="${round(top)}" width="${round(side + 1)}" height="${round(side + 1)}" fill="${random.pick(tones)}"/>`
        const tone = random.pick(tones)
        const corner = random.int(5)
        if (corner === 4) out += circle(left + side / 2, top + side / 2, side * 0.34, tone)
        else {
          const cx = left + (corner & 1) * side
          const cy = top + (corner >> 1) * side
          const dx = corner & 1 ? -side : side
          const dy = corner >> 1 ? -side : side
          const sweep = (corner & 1) === corner >> 1 ? 1 : 0
          out += path(
            `M${round(cx)} ${round(cy)}h${round(dx)}A${round(side)} ${round(side)} 0 0 ${sweep} ${round(cx)} ${round(cy + dy)}Z`,
            tone,
          )
        }
      }
    }
    return out
  },

  /** Parallel waves. */
  waves({ width, height, palette, random }) {
    let out = circle(
      width * randomBetween(random, 0.3, 0.7),
      height * 0.3,
      Math.min(width, height) * randomBetween(random, 0.15, 0.24),
      palette.second,
    )
    const count = 13
    const shift = random.next() * width
    for (let i = 0; i < count; i++) {
      const y = height * (0.3 + i * 0.055)
      const tone = mixColors(palette.main, palette.ground, (i / count) ** 0.8)
      out += path(ridge(width, height, y, height * (0.05 - i * 0.0025), shift + i * width * 0.085, 3), tone)
    }
    return out
  },

  /** A planet with a ring, moons and stars. */
  planet({ width, height, palette, random }) {
    let stars = ''
    for (let i = 0; i < 46; i++)
      stars += `M${random.int(width)} ${random.int(Math.floor(height * 0.8))}h${random.chance(0.2) ? 3 : 1.6}`
    const r = Math.min(width, height) * randomBetween(random, 0.22, 0.3)
    const x = width * randomBetween(random, 0.42, 0.64)
    const y = height * randomBetween(random, 0.34, 0.42)
    const tilt = random.int(50) - 25
    const half = (sweep: 0 | 1) =>
      `<path d="M${round(x - r * 1.75)} ${round(y)}A${round(r * 1.75)} ${round(r * 0.42)} 0 0 ${sweep} ${round(x + r * 1.75)} ${round(y)}" fill="none" stroke="${palette.second}" stroke-width="${round(r * 0.1)}" transform="rotate(${tilt} ${round(x)} ${round(y)})"/>`
    return (
      `<path d="${stars}" stroke="${palette.light}" stroke-width="1.6" stroke-linecap="round" opacity=".8"/>` +
      circle(x, y, r * 1.35, palette.main, 0.14) +
      half(1) +
      circle(x, y, r, palette.main) +
      path(
        `M${round(x)} ${round(y - r)}A${round(r)} ${round(r)} 0 0 1 ${round(x)} ${round(y + r)}A${round(r * 1.5)} ${round(r * 1.5)} 0 0 0 ${round(x)} ${round(y - r)}Z`,
        palette.ground,
        0.4,
      ) +
      half(0) +
      circle(
        width * randomBetween(random, 0.1, 0.28),
        height * randomBetween(random, 0.12, 0.24),
        r * 0.2,
        palette.light,
      ) +
      circle(
        width * randomBetween(random, 0.76, 0.92),
        height * randomBetween(random, 0.5, 0.6),
        r * 0.13,
        palette.second,
      )
    )
  },

  /** Large translucent discs that overlap. */
  discs({ width, height, palette, random }) {
    const tones = [
      palette.main,
      palette.second,
      mixColors(palette.main, palette.light, 0.4),
      palette.sky,
      palette.light,
    ]
    let out = ''
    for (let i = 0; i < 6; i++) {
      const r = Math.min(width, height) * randomBetween(random, 0.14, 0.36)
      out += circle(
        width * randomBetween(random, 0.12, 0.9),
        height * randomBetween(random, 0.12, 0.62),
        r,
        tones[i % tones.length] as string,
        i === 4 ? 0.9 : 0.62,
      )
    }
    return out
  },

  /** Bare trunks in front of a moon. */
  woods({ width, height, palette, random }) {
    let out = circle(
      width * randomBetween(random, 0.35, 0.65),
      height * randomBetween(random, 0.28, 0.38),
      Math.min(width, height) * randomBetween(random, 0.2, 0.28),
      palette.second,
      0.92,
    )
    for (let row = 0; row < 3; row++) {
      const tone = mixColors(palette.main, palette.ground, 0.3 + row * 0.35)
      let shape = ''
      const count = 5 + row
      for (let i = 0; i < count; i++) {
        const x = width * ((i + randomBetween(random, 0.1, 0.9)) / count)
        const w = width * (0.012 + row * 0.009)
        const lean = (random.next() - 0.5) * width * 0.05
        shape += `M${round(x - w)} ${height}L${round(x + lean - w * 0.4)} 0H${round(x + lean + w * 0.4)}L${round(x + w)} ${height}Z`
        const y = height * randomBetween(random, 0.12, 0.45)
        const reach = width * randomBetween(random, 0.05, 0.12) * (random.chance(0.5) ? 1 : -1)
        shape += `M${round(x)} ${round(y + w * 2)}L${round(x + reach)} ${round(y - height * 0.07)}L${round(x)} ${round(y)}Z`
      }
      out += path(shape, tone)
    }
    return out + path(ridge(width, height, height * 0.82, height * 0.02, random.next() * width, 4), palette.ground)
  },

  /** Beams that spread from one point. */
  rays({ width, height, palette, random }) {
    const x = width * randomBetween(random, 0.3, 0.7)
    const y = height * randomBetween(random, 0.34, 0.5)
    const count = 9 + random.int(5)
    const far = width + height
    const start = random.next() * Math.PI
    let beams = ''
    for (let i = 0; i < count; i++) {
      const a = start + (i / count) * 2 * Math.PI
      const b = a + Math.PI / count
      beams += `M${round(x)} ${round(y)}L${round(x + far * Math.cos(a))} ${round(y + far * Math.sin(a))}L${round(x + far * Math.cos(b))} ${round(y + far * Math.sin(b))}Z`
    }
    const r = Math.min(width, height) * randomBetween(random, 0.14, 0.22)
    return (
      path(beams, palette.main, 0.42) +
      circle(x, y, r * 1.3, palette.ground, 0.5) +
      circle(x, y, r, palette.second) +
      circle(x, y, r * 0.62, palette.ground) +
      circle(x, y, r * 0.24, palette.light)
    )
  },
}

/** Interpolates between two colours: 0 is the first, 1 the second. */
function mixColors(first: string, second: string, share: number): string {
  const at = (color: string, i: number) => Number.parseInt(color.slice(i, i + 2), 16)
  const channel = (i: number) =>
    Math.round(at(first, i) + (at(second, i) - at(first, i)) * share)
      .toString(16)
      .padStart(2, '0')
  return `#${channel(1)}${channel(3)}${channel(5)}`
}

function randomBetween(random: Random, min: number, max: number): number {
  return min + random.next() * (max - min)
}

/** A shape with a wavy top edge, down to the bottom of the canvas. */
function ridge(width: number, height: number, top: number, swing: number, shift: number, bends: number): string {
  const step = width / bends
  let out = `M${round(-step)} ${round(top + swing * Math.sin(shift / 40))}`
  for (let i = 0; i <= bends; i++) {
    const up = (i + Math.floor(shift / 50)) % 2 === 0 ? -1 : 1
    const depth = swing * (0.7 + 0.6 * Math.abs(Math.sin(shift + i * 2.4)))
    const x = i * step + ((shift / 7) % step) / 2
    out += `S${round(x - step * 0.5)} ${round(top + up * depth)} ${round(x)} ${round(top + (up * depth) / 2)}`
  }
  return `${out}H${width + 9}V${height}H${round(-step)}Z`
}

function circle(x: number, y: number, r: number, fill: string, opacity = 1): string {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}" fill="${fill}"${opacity === 1 ? '' : ` opacity="${opacity}"`}/>`
}

function path(d: string, fill: string, opacity = 1): string {
  return opacity === 0 ? '' : `<path d="${d}" fill="${fill}"${opacity === 1 ? '' : ` opacity="${opacity}"`}/>`
}

function round(value: number): number {
  return Math.round(value)
}

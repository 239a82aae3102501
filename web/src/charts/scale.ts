import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** Ticks of a linear axis from 0: about `count` round numbers, the last at or above the maximum. */
export function ticksUpTo(max: number, count = 4): number[] {
  if (!(max > 0)) return [0, 1]
  const rough = max / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power)
  const whole = Number.isInteger(step) ? step : Math.ceil(step)
  return Array.from({ length: Math.ceil(max / whole) + 1 }, (_, i) => i * whole)
}

/** Ticks of a logarithmic axis: powers of ten that enclose all values. */
export function decadesAround(values: readonly number[]): number[] {
  const positive = values.filter((value) => value > 0)
  if (positive.length === 0) return [1, 10]
  const first = Math.floor(Math.log10(Math.min(...positive)))
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...positive))))
  return Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i))
}

/** Position of a value between the first and the last decade, from 0 to 1. */
export function decadePlace(value: number, decades: readonly number[]): number {
  const first = Math.log10(decades[0] as number)
  const last = Math.log10(decades.at(-1) as number)
  return Math.min(1, Math.max(0, (Math.log10(Math.max(value, Number.MIN_VALUE)) - first) / (last - first)))
}

/** The width of an element in pixels. Charts are drawn to it, so that their text keeps its size. */
export function useWidth<E extends HTMLElement>(): { readonly ref: RefObject<E | null>; readonly width: number } {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)))
    observer.observe(element)
    setWidth(Math.floor(element.clientWidth))
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

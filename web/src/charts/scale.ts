import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** Marks for an axis from 0: round numbers, about `count` of them, the last at or above the greatest value. */
export function ticksUpTo(greatest: number, count = 4): number[] {
  if (!(greatest > 0)) return [0, 1]
  const rough = greatest / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power)
  const whole = Number.isInteger(step) ? step : Math.ceil(step)
  return Array.from({ length: Math.ceil(greatest / whole) + 1 }, (_, i) => i * whole)
}

/** Powers of ten that enclose all values: the marks of an axis on which every step is ten times the one before. */
export function decadesAround(values: readonly number[]): number[] {
  const positive = values.filter((value) => value > 0)
  if (positive.length === 0) return [1, 10]
  const first = Math.floor(Math.log10(Math.min(...positive)))
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...positive))))
  return Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i))
}

/** Where a value lies between the first and the last decade: 0 to 1. */
export function decadePlace(value: number, decades: readonly number[]): number {
  const first = Math.log10(decades[0] as number)
  const last = Math.log10(decades.at(-1) as number)
  return Math.min(1, Math.max(0, (Math.log10(Math.max(value, Number.MIN_VALUE)) - first) / (last - first)))
}

/** The width of an element in pixels, followed as it changes; charts are drawn to it, so that their text stays readable. */
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

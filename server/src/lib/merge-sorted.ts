/**
 * Merges sorted sequences into one. Of equal items, those of earlier sequences come first. A binary heap of the heads, so
 * that hundreds of sequences cost little more than a few.
 */
export function* mergeSorted<T>(sequences: readonly Iterable<T>[], compare: (a: T, b: T) => number): Iterable<T> {
  if (sequences.length === 1) {
    yield* sequences[0] as Iterable<T>
    return
  }
  const heap: Head<T>[] = []
  const precedes = (a: Head<T>, b: Head<T>) => (compare(a.item, b.item) || a.index - b.index) < 0
  for (const [index, sequence] of sequences.entries()) {
    const iterator = sequence[Symbol.iterator]()
    const { done, value } = iterator.next()
    if (done !== true) heap.push({ item: value, index, iterator })
  }
  for (let i = (heap.length >> 1) - 1; i >= 0; i--) siftDown(heap, i, precedes)
  try {
    for (;;) {
      const head = heap[0]
      if (head === undefined) return
      yield head.item
      const { done, value } = head.iterator.next()
      if (done !== true) head.item = value
      else {
        const last = heap.pop() as Head<T>
        if (heap.length > 0) heap[0] = last
      }
      siftDown(heap, 0, precedes)
    }
  } finally {
    // A reader that stops early closes the sequences, which may hold a cursor of the database.
    for (const { iterator } of heap) iterator.return?.()
  }
}

/** The next item of a sequence. */
interface Head<T> {
  item: T
  readonly index: number
  readonly iterator: Iterator<T>
}

function siftDown<T>(heap: Head<T>[], start: number, precedes: (a: Head<T>, b: Head<T>) => boolean): void {
  for (let at = start; ; ) {
    let first = at
    for (const child of [2 * at + 1, 2 * at + 2]) {
      if (child < heap.length && precedes(heap[child] as Head<T>, heap[first] as Head<T>)) first = child
    }
    if (first === at) return
    const moved = heap[at] as Head<T>
    heap[at] = heap[first] as Head<T>
    heap[first] = moved
    at = first
  }
}

/** Resolves when the browser has painted something, or at once where nobody looks. */
export function whenPainted(): Promise<void> {
  if (document.hidden || performance.getEntriesByName('first-paint').length > 0) return Promise.resolve()
  return new Promise((resolve) => {
    // A frame is painted right after its callbacks. In a tab that is left meanwhile none would come.
    requestAnimationFrame(() => setTimeout(resolve))
    document.addEventListener('visibilitychange', () => resolve(), { once: true })
  })
}

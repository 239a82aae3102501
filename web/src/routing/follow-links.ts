import { routeOf } from '../routes.ts'
import { navigate } from './location.ts'

/** Lets plain links between pages change the page without loading the site anew. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = (event.target as Element).closest('a')
    if (link === null || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return
    if (link.hash !== '' || routeOf(link.pathname) === undefined) return
    event.preventDefault()
    navigate(link.href)
  })
}

import { useEffect, useState } from 'preact/hooks'

/** Whether the browser is online, as of now and whenever it changes. On the server it is. */
export function useOnline(): boolean {
  const [isOnline, setOnline] = useState(readOnline)
  useEffect(() => {
    const update = () => setOnline(readOnline())
    window.addEventListener('online', update)
    window.addEventListener('offline', update)
    // It may have changed since the component was drawn, when nothing listened yet.
    update()
    return () => {
      window.removeEventListener('online', update)
      window.removeEventListener('offline', update)
    }
  }, [])
  return isOnline
}

function readOnline(): boolean {
  return globalThis.navigator?.onLine ?? true
}

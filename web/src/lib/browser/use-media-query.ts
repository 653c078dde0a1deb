import { useCallback, useSyncExternalStore } from 'react'

/** Matches screens as narrow as a phone's, for which `max-sm:` has the styles. */
export const phoneQuery = '(max-width: 39.99rem)'

/** Whether a media query matches, updated as the window changes. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

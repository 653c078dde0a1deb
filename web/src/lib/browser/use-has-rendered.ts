import { useEffect, useState } from 'react'

/**
 * False in the first render of a component, then true. A live region is empty in its first render: not every screen reader announces a text
 * that appears together with its region.
 */
export function useHasRendered(): boolean {
  const [hasRendered, setHasRendered] = useState(false)
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the second render is the purpose
    setHasRendered(true)
  }, [])
  return hasRendered
}

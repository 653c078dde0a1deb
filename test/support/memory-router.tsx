import { useMemo, useState, type ReactNode } from 'react'
import { RouterContext } from '../../web/src/lib/navigation/router.tsx'

const toLocation = (address: string, state: unknown, isHistoryMove: boolean) => {
  const { pathname, search, hash } = new URL(address, location.origin)
  return { pathname, search, hash, state, key: crypto.randomUUID(), isHistoryMove }
}

interface MemoryRouterProps {
  path?: string | { pathname: string; state: unknown }
  children: ReactNode
}

/** A `Router` apart from the browser's address and history, which tests share. */
export function MemoryRouter({ path = '/', children }: MemoryRouterProps) {
  const [shown, setShown] = useState(() =>
    typeof path === 'string' ? toLocation(path, null, true) : toLocation(path.pathname, path.state, true),
  )
  const value = useMemo(
    () => ({
      location: shown,
      navigate: (to: string, { state = null }: { state?: unknown } = {}) =>
        setShown(toLocation(to, state, false)),
    }),
    [shown],
  )
  return <RouterContext value={value}>{children}</RouterContext>
}

import { startTransition, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import {
  resolvePath,
  Router,
  type To,
  UNSAFE_createBrowserHistory as createBrowserHistory,
  type Navigator,
} from 'react-router'
import { isLeaveGuarded, requestLeave } from '../lib/leave-guard.ts'

/** The browser's history as `BrowserRouter` has it, which asks first where leaving would lose something. */
export function GuardedRouter({ children }: { children: ReactNode }) {
  const [history] = useState(() => createBrowserHistory({ v5Compat: true }))
  const [{ action, location }, setEntry] = useState({ action: history.action, location: history.location })

  const shown = useRef(location)
  useLayoutEffect(() => {
    shown.current = location
  }, [location])

  useLayoutEffect(() => {
    /** the steps through the history that this takes itself, and does not ask about */
    const ownSteps: number[] = []
    const step = (delta: number) => {
      ownSteps.push(delta)
      history.go(delta)
    }
    return history.listen((entry) => {
      const {
        delta,
        location: { key, pathname },
      } = entry
      const isOwn = entry.action === 'POP' && ownSteps[0] === delta
      if (isOwn) ownSteps.shift()
      // a page that is still on its way has not taken the place of the one that is shown
      const isShown = key === shown.current.key && pathname === shown.current.pathname
      if (entry.action === 'POP' && !isOwn && !isShown && delta !== null && isLeaveGuarded(pathname)) {
        // the browser has left already: back to the entry that the page still shows
        step(-delta)
        return requestLeave(() => step(delta), pathname)
      }
      return startTransition(() => setEntry(entry))
    })
  }, [history])

  const navigator = useMemo<Navigator>(
    () => ({
      createHref: (to) => history.createHref(to),
      encodeLocation: (to) => history.encodeLocation(to),
      go: (delta) => history.go(delta),
      push: (to, state) => requestLeave(() => history.push(to, state), pathnameOf(to)),
      // a link to the page that is open replaces it
      replace: (to, state) => requestLeave(() => history.replace(to, state), pathnameOf(to)),
    }),
    [history],
  )
  return (
    <Router location={location} navigationType={action} navigator={navigator}>
      {children}
    </Router>
  )
}

const pathnameOf = (to: To) => resolvePath(to, location.pathname).pathname

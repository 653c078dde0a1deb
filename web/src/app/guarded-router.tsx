import { startTransition, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import {
  type NavigateOptions,
  resolvePath,
  Router,
  type To,
  UNSAFE_createBrowserHistory as createBrowserHistory,
  type Navigator,
} from 'react-router'
import { isLeaveGuarded, requestLeave } from '../lib/leave-guard.ts'

/**
 * The browser's history as `BrowserRouter` has it, which asks first where leaving would lose something.
 * The option `flushSync` of a navigation holds here, too; `BrowserRouter` has it for data routers alone.
 */
export function GuardedRouter({ children }: { children: ReactNode }) {
  const [history] = useState(() => createBrowserHistory({ v5Compat: true }))
  const [{ action, location }, setEntry] = useState({ action: history.action, location: history.location })

  /** the navigation under way asked for the new page before it returns */
  const isSynchronous = useRef(false)
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
      const update = isSynchronous.current ? flushSync : startTransition
      return update(() => setEntry(entry))
    })
  }, [history])

  const navigator = useMemo<Navigator>(() => {
    const navigate = (to: To, change: () => void, options?: NavigateOptions) =>
      requestLeave(() => {
        isSynchronous.current = options?.flushSync ?? false
        try {
          change()
        } finally {
          isSynchronous.current = false
        }
      }, toPathname(to))
    return {
      createHref: (to) => history.createHref(to),
      encodeLocation: (to) => history.encodeLocation(to),
      go: (delta) => history.go(delta),
      push: (to, state, options) => navigate(to, () => history.push(to, state), options),
      // a link to the page that is open replaces it
      replace: (to, state, options) => navigate(to, () => history.replace(to, state), options),
    }
  }, [history])
  return (
    <Router location={location} navigationType={action} navigator={navigator}>
      {children}
    </Router>
  )
}

const toPathname = (to: To) => resolvePath(to, location.pathname).pathname

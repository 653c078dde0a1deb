import { startTransition, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import {
  type NavigateOptions,
  Router,
  UNSAFE_createBrowserHistory as createBrowserHistory,
  type Navigator,
} from 'react-router'
import { isLeaveGuarded, requestLeave } from '../lib/leave-guard.ts'

/**
 * A `BrowserRouter` that asks the user before unsaved work would be lost. It supports the navigation option
 * `flushSync`, which `BrowserRouter` ignores.
 */
export function GuardedRouter({ children }: { children: ReactNode }) {
  // as `BrowserRouter` does: without `v5Compat` the listeners hear of no navigation but the browser's own
  const [history] = useState(() => createBrowserHistory({ v5Compat: true }))
  const [{ action, location }, setEntry] = useState({ action: history.action, location: history.location })

  /** whether the current navigation uses `flushSync` */
  const isSynchronous = useRef(false)
  const shownLocation = useRef(location)
  useLayoutEffect(() => {
    shownLocation.current = location
  }, [location])

  useLayoutEffect(() => {
    /** history steps of this component itself, which are not guarded */
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
      // the page that is shown may not be the latest entry while a transition is pending
      const isShown = key === shownLocation.current.key && pathname === shownLocation.current.pathname
      if (entry.action === 'POP' && !isOwn && !isShown && delta !== null && isLeaveGuarded()) {
        // the browser has navigated already: go back to the entry that is still shown
        step(-delta)
        return requestLeave(() => step(delta))
      }
      const update = isSynchronous.current ? flushSync : startTransition
      return update(() => setEntry(entry))
    })
  }, [history])

  const navigator = useMemo<Navigator>(() => {
    const navigate = (change: () => void, options?: NavigateOptions) =>
      requestLeave(() => {
        isSynchronous.current = options?.flushSync ?? false
        try {
          change()
        } finally {
          isSynchronous.current = false
        }
      })
    return {
      createHref: (to) => history.createHref(to),
      encodeLocation: (to) => history.encodeLocation(to),
      // the listener asks, as for the browser's own buttons
      go: (delta) => history.go(delta),
      push: (to, state, options) => navigate(() => history.push(to, state), options),
      // links to the current page replace its entry
      replace: (to, state, options) => navigate(() => history.replace(to, state), options),
    }
  }, [history])
  return (
    <Router location={location} navigationType={action} navigator={navigator}>
      {children}
    </Router>
  )
}

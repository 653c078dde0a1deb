import { useLayoutEffect } from 'react'
import { createStore } from './create-store.ts'

/** How many dialogs and secret fields are shown. Apps of MCP servers are closed meanwhile: an app could take the keyboard from them. */
export const appBlockers = createStore(0)

/** Closes all apps while the caller is shown: a dialog, or a field for a secret. */
export function useBlockApps(): void {
  useLayoutEffect(() => {
    appBlockers.setState(appBlockers.getState() + 1)
    return () => appBlockers.setState(appBlockers.getState() - 1)
  }, [])
}

/** As `useBlockApps`, for content that is mounted only while it is shown. */
export function BlockApps(): null {
  useBlockApps()
  return null
}

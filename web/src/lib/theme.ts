import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from './storage.ts'
import { createStore, useStore } from './create-store.ts'

export type Theme = 'system' | 'light' | 'dark'

/** Also read by public/theme.js, which sets the theme before the first paint. */
const storageKey = 'juno.theme'

/** The theme chosen in this browser; the system's until one was. */
export function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

const shownTheme = createStore<Theme>(currentTheme())

/** Chooses the theme, now and for later visits. 'system' follows the system live. */
export function chooseTheme(theme: Theme): void {
  // where storage is blocked, the choice holds for this page
  writeStored('local', storageKey, theme)
  show(theme)
}

/** Takes over what the user chose in another browser, unless a choice was made in this one (DEC-101). */
export function adoptTheme(theme: Theme): void {
  if (readStored('local', storageKey) === null && theme !== currentTheme()) show(theme)
}

/** Follows choices made in other tabs, and colours the browser's own bars. Call once, at the start. */
export function startTheme(): void {
  colourBrowserBars(currentTheme())
  addEventListener('storage', (event) => {
    if (event.key !== storageKey && event.key !== null) return
    show(event.newValue === 'light' || event.newValue === 'dark' ? event.newValue : 'system')
  })
}

export const useTheme = (): Theme => useStore(shownTheme)

const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)')
const onSystemTheme = (listener: () => void) => {
  const query = systemIsDark()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the page is dark now, by choice or by the system. */
export function useIsDark(): boolean {
  const theme = useTheme()
  const isSystemDark = useSyncExternalStore(onSystemTheme, () => systemIsDark().matches)
  return theme === 'system' ? isSystemDark : theme === 'dark'
}

function show(theme: Theme): void {
  const root = document.documentElement
  if (theme === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = theme
  colourBrowserBars(theme)
  shownTheme.setState(theme)
}

/** index.html has one theme-color for each system setting; a chosen theme makes both of them its own. */
function colourBrowserBars(theme: Theme): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = meta.getAttribute('media')?.includes('dark') ? 'dark' : 'light'
    meta.dataset['own'] ??= meta.content
    const wanted = theme === 'system' ? own : theme
    const source = document.querySelector<HTMLMetaElement>(`meta[name="theme-color"][media*="${wanted}"]`)
    if (source) meta.content = source.dataset['own'] ?? source.content
  }
}

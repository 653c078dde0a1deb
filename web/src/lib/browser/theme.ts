import { readStored, writeStored } from './storage.ts'
import { createStore, useStore } from './create-store.ts'
import { useMediaQuery } from './use-media-query.ts'

/** `system` follows the setting of the device. */
export type Theme = 'system' | 'light' | 'dark'

/** Also read by public/theme.js, which applies the theme before the first paint. */
const storageKey = 'juno.theme'

/** The theme of the page: selected in this browser or saved with the account; by default the system's. */
export function getTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

const themeStore = createStore<Theme>(getTheme())

/** Applies and stores the theme. 'system' follows the system live. */
export function setTheme(theme: Theme): void {
  // if storage is blocked, it applies to this page only
  writeStored('local', storageKey, theme)
  applyTheme(theme)
}

/** Applies the theme saved with the account, unless one was selected in this browser. */
export function applyAccountTheme(theme: Theme): void {
  if (readStored('local', storageKey) === null && theme !== getTheme()) applyTheme(theme)
}

/** Follows changes in other tabs and sets the colour of the browser's UI. Call once, at the start. */
export function startTheme(): void {
  updateThemeColor(getTheme())
  addEventListener('storage', (event) => {
    if (event.key !== storageKey && event.key !== null) return
    applyTheme(event.newValue === 'light' || event.newValue === 'dark' ? event.newValue : 'system')
  })
}

/** The theme that the user has chosen. */
export const useTheme = (): Theme => useStore(themeStore)

/** Whether the page is dark, by the user's choice or the system's. */
export function useIsDark(): boolean {
  const theme = useTheme()
  const isSystemDark = useMediaQuery('(prefers-color-scheme: dark)')
  return theme === 'system' ? isSystemDark : theme === 'dark'
}

function applyTheme(theme: Theme): void {
  const root = document.documentElement
  if (theme === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = theme
  updateThemeColor(theme)
  themeStore.setState(theme)
}

/** index.html has one theme-color per system setting; a selected theme overrides both. */
function updateThemeColor(theme: Theme): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const ownTheme = meta.getAttribute('media')?.includes('dark') ? 'dark' : 'light'
    // the page's own colour, which selecting `system` brings back
    meta.dataset['own'] ??= meta.content
    const shownTheme = theme === 'system' ? ownTheme : theme
    const source = document.querySelector<HTMLMetaElement>(`meta[name="theme-color"][media*="${shownTheme}"]`)
    if (source) meta.content = source.dataset['own'] ?? source.content
  }
}

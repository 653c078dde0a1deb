import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Monitor, Moon, Sun } from 'lucide-react'
import type { ReactNode } from 'react'
import { saveSettings } from '../../lib/account/save-settings.ts'
import { setTheme, useTheme, type Theme } from '../../lib/browser/theme.ts'

/** The themes to choose from, with label and icon. */
export const themeOptions: readonly { value: Theme; label: string; icon: ReactNode }[] = [
  { value: 'system', label: t`System`, icon: <Monitor aria-hidden size={16} /> },
  { value: 'light', label: t`Light`, icon: <Sun aria-hidden size={16} /> },
  { value: 'dark', label: t`Dark`, icon: <Moon aria-hidden size={16} /> },
]

/** The current theme, and a function that selects another one in this browser and saves it with the account. */
export function useThemeChoice(): readonly [Theme, (theme: Theme) => void] {
  const queryClient = useQueryClient()
  const selectTheme = (theme: Theme) => {
    setTheme(theme)
    // the theme applies in this browser even if saving fails
    saveSettings(queryClient, { theme }).catch(() => undefined)
  }
  return [useTheme(), selectTheme]
}

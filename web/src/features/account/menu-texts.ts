import { t } from '@lingui/core/macro'

export const theme = t`Theme`
export const profile = t`Profile`
export const settings = t`Settings`
export const administration = t`Administration`
export const keyboardShortcuts = t`Keyboard shortcuts`
export const logOut = t`Log out`

// theme-choice
export const systemTheme = t`System`
export const lightTheme = t`Light`
export const darkTheme = t`Dark`

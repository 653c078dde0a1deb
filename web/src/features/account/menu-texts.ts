export const theme = 'Theme'
export const profile = 'Profile'
export const settings = 'Settings'
export const administration = 'Administration'
export const keyboardShortcuts = 'Keyboard shortcuts'
export const logOut = 'Log out'

// theme-choice
export const systemTheme = 'System'
export const lightTheme = 'Light'
export const darkTheme = 'Dark'

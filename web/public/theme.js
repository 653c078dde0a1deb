// Runs before the first paint, so that a chosen theme never flashes; src/lib/theme.ts owns the setting.
try {
  const theme = localStorage.getItem('juno.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // storage is blocked: the system decides
}

// Runs before the first paint, so that the selected theme does not flash; src/lib/theme.ts owns the
// setting.
try {
  const theme = localStorage.getItem('juno.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // storage is blocked: use the system's theme
}

// Preloads the chunks of this path's page, which saves a round trip.
const parts = document.querySelector('meta[name="page-parts"]')
for (const file of (parts && JSON.parse(parts.content)[location.pathname]) ?? []) {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = file
  document.head.append(link)
}

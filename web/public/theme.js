// Runs before the first paint, so that a chosen theme never flashes; src/lib/theme.ts owns the setting.
try {
  const theme = localStorage.getItem('juno.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // storage is blocked: the system decides
}

// The parts of the page that this address shows are asked for now, not by the script that has to come first: a round trip less.
const parts = document.querySelector('meta[name="page-parts"]')
for (const file of (parts && JSON.parse(parts.content)[location.pathname]) ?? []) {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = file
  document.head.append(link)
}

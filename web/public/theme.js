// Runs before the first paint, so that neither theme nor direction change visibly.
const root = document.documentElement

// src/lib/theme.ts owns the setting
try {
  const theme = localStorage.getItem('juno.theme')
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
} catch {
  // storage is blocked: use the system's theme
}

// The language: of ?lang= for a visit, chosen in the settings (src/lib/language.ts), or the browser's.
const languages = ['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'ar']
const wanted = [...navigator.languages]
try {
  wanted.unshift(localStorage.getItem('juno.language'))
  const asked = new URLSearchParams(location.search).get('lang')
  if (languages.includes(asked)) sessionStorage.setItem('juno.language', asked)
  wanted.unshift(sessionStorage.getItem('juno.language'))
} catch {
  // storage is blocked: use the browser's language
}
const findLanguage = (tag) =>
  languages.find((one) => one === tag) ?? languages.find((one) => one.slice(0, 2) === tag?.split('-')[0])
root.lang = wanted.map(findLanguage).find(Boolean) ?? 'en'
if (root.lang === 'ar') root.dir = 'rtl'

// Preloads the scripts of this path's page, and the catalogue of the language, which saves a round trip.
const parts = document.querySelector('meta[name="page-parts"]')
const files = parts ? JSON.parse(parts.content) : {}
for (const file of [...(files[root.lang] ?? []), ...(files[location.pathname] ?? [])]) {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = file
  document.head.append(link)
}

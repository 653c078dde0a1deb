// Runs before the first paint, so that neither theme nor language changes visibly. The settings belong to
// src/lib/theme.ts and src/features/account/language-choice.tsx.
const root = document.documentElement
const languages = ['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'ar']
const wanted = [...navigator.languages]
try {
  const theme = localStorage.getItem('juno.theme')
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
  const key = 'juno.language'
  // ?lang= is for a visit
  const asked = new URLSearchParams(location.search).get('lang')
  if (languages.includes(asked)) sessionStorage.setItem(key, asked)
  // chosen in this browser, or saved with the account (src/lib/account-language.ts)
  const stored = ['juno.language', 'juno.account-language'].map((name) => localStorage.getItem(name))
  wanted.unshift(sessionStorage.getItem(key), ...stored)
} catch {
  // storage is blocked: use what the system and the browser say
}
const find = (tag) =>
  languages.find((one) => one === tag) ?? languages.find((one) => one.slice(0, 2) === tag?.split('-')[0])
root.lang = wanted.map(find).find(Boolean) ?? 'en'
if (root.lang === 'ar') root.dir = 'rtl'

// Preloads the scripts of this path's page, and of the language, which saves a round trip.
const parts = JSON.parse(document.querySelector('meta[name="page-parts"]')?.content ?? '{}')
for (const file of [...(parts[root.lang] ?? []), ...(parts[location.pathname] ?? [])]) {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = file
  document.head.append(link)
}

// Runs before the first paint, so that neither theme nor language changes visibly. The settings belong to
// src/lib/browser/theme.ts and src/features/account/language-choice.tsx. The offline page has a copy.
const root = document.documentElement
// the languages of the page and their directions
const directions = { en: 'ltr', de: 'ltr', fr: 'ltr', es: 'ltr', 'pt-BR': 'ltr', ja: 'ltr', ar: 'rtl' }
const languages = Object.keys(directions)
const wanted = [...navigator.languages]
try {
  const theme = localStorage.getItem('juno.theme')
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
  const key = 'juno.language'
  // ?lang= is for a visit
  const asked = new URLSearchParams(location.search).get('lang')
  if (languages.includes(asked)) sessionStorage.setItem(key, asked)
  // chosen in this browser, or saved with the account (src/lib/account/account-language.ts)
  const stored = ['juno.language', 'juno.account-language'].map((name) => localStorage.getItem(name))
  wanted.unshift(sessionStorage.getItem(key), ...stored)
} catch {
  // storage is blocked: use what the system and the browser say
}
// a variant has the same language in the same script: pt-PT is like pt-BR, but zh-TW is not like zh-CN
const identify = (tag) => {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return language + script
  } catch {
    // there are browsers with tags that are none, such as en-US@posix
    return undefined
  }
}
const find = (tag) =>
  languages.find((one) => one === tag) ?? languages.find((one) => identify(one) === identify(tag))
root.lang = wanted.map(find).find(Boolean) ?? 'en'
root.dir = directions[root.lang]

// Preloads the scripts of this path's page, and of the language, which saves a round trip.
const parts = JSON.parse(document.querySelector('meta[name="page-parts"]')?.content ?? '{}')
for (const file of [...(parts[root.lang] ?? []), ...(parts[location.pathname] ?? [])]) {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = file
  document.head.append(link)
}

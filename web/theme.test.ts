import { afterEach, expect, it, vi } from 'vitest'
import script from './public/theme.js?raw'

const root = document.documentElement
const run = () => {
  // oxlint-disable-next-line no-implied-eval -- a classic script, as the page runs it
  new Function(script)()
  return `${root.lang} ${root.dir || 'ltr'}`
}

afterEach(() => {
  root.lang = ''
  root.dir = ''
  history.replaceState(null, '', '/')
})

it.each([
  [['de-AT', 'en'], 'de ltr'],
  [['pt-PT'], 'pt-BR ltr'],
  [['ar-EG'], 'ar rtl'],
  [['nl-NL', 'fr-CH', 'en'], 'fr ltr'],
  [['zh-TW'], 'en ltr'],
  // neither a variant of French nor a tag
  [['fro', 'fr@posix', 'de'], 'de ltr'],
  [[], 'en ltr'],
])('the browser’s languages %j lead to %s', (languages, shown) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages)
  expect(run()).toBe(shown)
})

it('a chosen language precedes the browser’s, and one that is asked for precedes both for the visit', () => {
  localStorage.setItem('juno.language', 'de')
  expect(run()).toBe('de ltr')
  history.replaceState(null, '', '/?lang=ja')
  expect(run()).toBe('ja ltr')
  history.replaceState(null, '', '/settings')
  expect(run()).toBe('ja ltr')
  sessionStorage.clear()
  expect(run()).toBe('de ltr')
})

it('the account’s language precedes the browser’s, and one that was chosen here precedes the account’s', () => {
  localStorage.setItem('juno.account-language', 'fr')
  expect(run()).toBe('fr ltr')
  localStorage.setItem('juno.language', 'ar')
  expect(run()).toBe('ar rtl')
})

it.each(['xx', 'constructor', '<b>', ''])('a language that does not exist (%s) changes nothing', (asked) => {
  localStorage.setItem('juno.language', asked)
  history.replaceState(null, '', `/?lang=${encodeURIComponent(asked)}`)
  expect(run()).toBe('en ltr')
  expect(sessionStorage.length).toBe(0)
})

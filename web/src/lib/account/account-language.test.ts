import { beforeEach, expect, it, vi } from 'vitest'
import { canReloadSilently, reloadPage } from '../browser/reload-page.ts'
import { accountLanguageKey, applyAccountLanguage, languageKey } from './account-language.ts'

vi.mock('../browser/reload-page.ts', () => ({
  reloadPage: vi.fn<() => void>(),
  canReloadSilently: vi.fn<() => boolean>(() => true),
}))

beforeEach(() => {
  vi.mocked(reloadPage).mockReset()
  vi.mocked(canReloadSilently).mockReturnValue(true)
  document.documentElement.lang = 'en'
})

interface Browser {
  /** chosen here */
  chosen?: string
  /** of a visit by an address with `?lang=` */
  visit?: string
  /** of the account at the last visit */
  before?: string
  lang?: string
  isBusy?: boolean
}

it.each<[string, Browser, string, { stored: string | null; reloads: number }]>([
  ['another language than the page has', {}, 'de', { stored: 'de', reloads: 1 }],
  ['the language of the page', { before: 'de', lang: 'de' }, 'de', { stored: 'de', reloads: 0 }],
  [
    'one that was changed on another computer',
    { before: 'de', lang: 'de' },
    'fr',
    { stored: 'fr', reloads: 1 },
  ],
  ['none, after another account had one', { before: 'de', lang: 'de' }, '', { stored: null, reloads: 1 }],
  ['none', {}, '', { stored: null, reloads: 0 }],
  ['another one than was chosen here', { chosen: 'en' }, 'de', { stored: 'de', reloads: 0 }],
  ['another one than that of a visit', { visit: 'en' }, 'de', { stored: 'de', reloads: 0 }],
  ['one that this release does not know', {}, 'tlh', { stored: null, reloads: 0 }],
  ['another one while something would be lost', { isBusy: true }, 'de', { stored: 'de', reloads: 0 }],
])('an account with %s', (_, { chosen, visit, before, lang = 'en', isBusy = false }, language, expected) => {
  if (chosen !== undefined) localStorage.setItem(languageKey, chosen)
  if (visit !== undefined) sessionStorage.setItem(languageKey, visit)
  if (before !== undefined) localStorage.setItem(accountLanguageKey, before)
  document.documentElement.lang = lang
  vi.mocked(canReloadSilently).mockReturnValue(!isBusy)
  applyAccountLanguage(language)
  expect({
    stored: localStorage.getItem(accountLanguageKey),
    reloads: vi.mocked(reloadPage).mock.calls.length,
  }).toEqual(expected)
})

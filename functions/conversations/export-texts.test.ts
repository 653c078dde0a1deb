import { expect, it } from 'vitest'
import { languageDirections, type Language } from '#shared/languages.ts'
import { exportTexts } from './export-texts.ts'

/** All sentences of a language by their keys, with the names of their placeholders. */
function listPlaceholders(language: Language): [key: string, names: string[]][] {
  const { incompleteReason, ...texts } = exportTexts[language]
  return Object.entries({ ...texts, ...incompleteReason })
    .map(([key, text]): [string, string[]] => {
      // a sentence without words says nothing, in any language
      expect(text.replace(/\{[^{}]*\}/g, ''), `${language} ${key}`).toMatch(/\S/)
      return [key, [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name = '']) => name))].toSorted()]
    })
    .toSorted(([a], [b]) => a.localeCompare(b))
}

it.each(Object.keys(languageDirections) as Language[])(
  'every text of an export is there in %s, with the values that the English one shows',
  (language) => {
    expect(listPlaceholders(language)).toEqual(listPlaceholders('en'))
  },
)

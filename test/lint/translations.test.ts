import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { languageDirections } from '#shared/languages.ts'
import { formatSentence } from '#shared/sentences/format-sentence.ts'
import {
  collectTranslatable,
  hasWords,
  listLanguages,
  readCatalogue,
} from '../../web/translation/catalogues.ts'
import { findProblems } from '../catalogue-problems.ts'
import { findStyleProblems } from './translation-style.ts'
import { readMessages } from '../../web/translation/messages.ts'
import { compileCatalogue } from '../../web/translation/plugin.ts'

const languages = ['ar', 'de', 'es', 'fr', 'ja', 'pt-BR']
const translatable = collectTranslatable()
const root = join(import.meta.dirname, '../..')

it('the languages are those of the design, and those that public/theme.js chooses from', () => {
  expect(listLanguages()).toEqual(languages)
  expect(Object.keys(languageDirections).sort()).toEqual([...languages, 'en'].sort())
  const script = readFileSync(join(root, 'web/public/theme.js'), 'utf8')
  const [, listed = ''] = /^const directions = (\{ .* \})$/m.exec(script) ?? []
  const json = listed.replaceAll("'", '"').replaceAll(/([{ ])(\w+):/g, '$1"$2":')
  expect(JSON.parse(json)).toEqual(languageDirections)
})

it('a sentence and a name without a translation are shown in English', () => {
  const texts = {
    messages: new Map(),
    sentences: new Map([['code', 'It is late.']]),
    names: new Set(['Search']),
    keys: new Set<string>(),
  }
  const code = compileCatalogue(texts, { 'It is late.': '', Search: '' })
  expect(code).toContain('"code":"It is late."')
  expect(code).toContain('"Search":"Search"')
})

it('the page that is shown offline has each text in every language', () => {
  const script = readFileSync(join(root, 'web/public/offline.js'), 'utf8')
  const texts = runInNewContext(`${script.slice(0, script.indexOf('const translation'))}; texts`) as object
  expect(Object.keys(texts).sort()).toEqual(languages)
  expect(new Set(Object.values(texts).map((list: string[]) => list.length))).toEqual(new Set([3]))
})

it.each(languages)(
  'the catalogue %s has every message, with the placeholders of the English one',
  (language) => {
    expect(findProblems(translatable, language, readCatalogue(language))).toEqual([])
  },
)

it.each(languages)('the catalogue %s keeps to the style of its language', (language) => {
  expect(findStyleProblems(language, readCatalogue(language))).toEqual([])
})

it.each([
  ['de', 'Delete', 'Bitte wähle eine Datei', 'wähle: Delete'],
  ['de', 'Open', 'Bitte öffne die Datei', 'öffne: Open'],
  ['de', 'Memory', 'Speicher', 'memory is Gedächtnis|Erinnerung|Arbeitsspeicher: Memory'],
  ['fr', 'Delete?', 'Supprimer ?', ' ?: Delete?'],
  ['es', 'Loading...', 'Cargando...', '...: Loading...'],
  ['ja', 'Delete?', '削除しますか?', 'か?: Delete?'],
  ['ar', 'Delete, now', 'احذف, الآن', 'ف,: Delete, now'],
])('in %s, “%s” as “%s” is not its style', (language, key, translation, problem) => {
  expect(findStyleProblems(language, { [key]: translation })).toEqual([problem])
})

describe('a catalogue', () => {
  const catalogue = readCatalogue('de')
  const findNew = (changes: Record<string, string>) => {
    const before = new Set(findProblems(translatable, 'de', catalogue))
    return findProblems(translatable, 'de', { ...catalogue, ...changes }).filter(
      (problem) => !before.has(problem),
    )
  }
  const files = '{count, plural, one {# file} other {# files}}'

  it.each([
    ['Cancel', '', 'no translation: Cancel'],
    ['Gone', 'Weg', 'not a message any more: Gone'],
    ['Delete {name}', 'Löschen', 'needs the placeholders name: Delete {name}'],
    ['Delete {name}', '{nmae} löschen', 'needs the placeholders name: Delete {name}'],
    [files, '{count, plural, other {# Dateien}}', `needs the plural forms one: ${files}`],
    ['For <0>{email}</0>.', 'Für {email}.', 'needs the tags </0> <0>: For <0>{email}</0>.'],
  ])('with %s as “%s” is refused', (key, translation, problem) => {
    const english = { ...catalogue, [key]: key in catalogue ? key : '' }
    const before = findProblems(translatable, 'de', english)
    const after = findProblems(translatable, 'de', { ...english, [key]: translation })
    expect(after.filter((one) => one === problem || !before.includes(one))).toEqual([problem])
  })

  it('with all placeholders is right, in another order too', () => {
    expect(
      findNew({
        'Edit {name}': '{name} bearbeiten',
        [files]: '{count, plural, one {# Datei} other {# Dateien}}',
      }),
    ).toEqual([])
  })
})

describe('a text', () => {
  const read = (source: string) => () => readMessages('part.tsx', source)

  it.each([
    ['of a value without a name', 't`Up to ${1 + 1} files`'],
    ['of two values with one name', 't`${a.name} and ${b.name}`'],
    ['of two values with one label', 't`${{ name: a.name }} and ${{ name: b.name }}`'],
    ['with braces beside a placeholder', 't`{} ${name}`'],
  ])('%s cannot be translated', (_, source) => {
    expect(read(source)).toThrow(/^part\.tsx: /)
  })

  it('has its values by name, and once', () => {
    const [message] = read('t`${name}: ${format(count)} of ${{ max: files.length }}, ${name}`')()
    expect(message).toMatchObject({
      text: '{name}: {count} of {max}, {name}',
      values: ['name', 'format(count)', 'files.length'],
    })
  })
})

const params = { count: 2, date: '2026-12-01T00:00:00Z', list: ['a', 'b'] }

it.each(languages)('%s: every sentence of the service can be said', (language) => {
  const catalogue = readCatalogue(language)
  for (const template of translatable.sentences.values()) {
    const values = Object.fromEntries(
      [...template.matchAll(/\{(\w+)(?:, (\w+))?/g)].map(([, name, kind = '']) => [
        String(name),
        kind === 'list' ? params.list : kind === 'day' ? params.date : kind === '' ? 'x' : params.count,
      ]),
    )
    const translation = hasWords(template) ? (catalogue[template] ?? '') : template
    expect(formatSentence(translation, values, language, () => undefined)).not.toMatch(/[{}]|undefined|NaN/)
  }
})

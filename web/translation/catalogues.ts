import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { collectMessages, compileText } from './messages.ts'
import type { Message } from './messages.ts'
import { collectServiceSentences } from './service-sentences.ts'
import type { ServiceSentence } from './service-sentences.ts'

/** A catalogue of a language: a JSON object with the English message as key and its translation as value. */
export type Catalogue = Readonly<Record<string, string>>

const folder = join(import.meta.dirname, '../src/languages')

export const catalogueFile = (language: string): string => join(folder, `${language}.json`)

/** The languages that have a catalogue: all but English. */
export const listLanguages = (): string[] =>
  globSync('*.json', { cwd: folder })
    .map((file) => basename(file, '.json'))
    .sort()

/** @throws Error when the language has no catalogue */
export const readCatalogue = (language: string): Catalogue =>
  JSON.parse(readFileSync(catalogueFile(language), 'utf8')) as Catalogue

/** What is translated. */
export interface Translatable {
  /** by key; of one key, they differ in what they are made of */
  readonly messages: ReadonlyMap<string, readonly Message[]>
  readonly sentences: readonly ServiceSentence[]
  /** of every catalogue, in their order */
  readonly keys: ReadonlySet<string>
}

/** Reads all modules with texts, which takes half a second. */
export function collectTranslatable(): Translatable {
  const messages = collectMessages()
  const sentences = collectServiceSentences()
  return { messages, sentences, keys: new Set([...messages.keys(), ...sentences.map(({ text }) => text)]) }
}

/** The forms of a plural that a language needs for whole numbers. */
const pluralForms = (language: string) => {
  const rules = new Intl.PluralRules(language)
  return new Set(Array.from({ length: 200 }, (_, count) => rules.select(count)))
}

const sortedSet = (found: Iterable<string>) => [...new Set(found)].sort().join(' ')
const listTags = (text: string) => [...text.matchAll(/<\/?\d+>/g)].map(String).sort().join(' ')

/** The placeholders of ICU MessageFormat, and for each plural its forms. */
function readPlaceholders(text: string) {
  const names = new Set<string>()
  const plurals: ReadonlySet<string>[] = []
  const read = (tokens: unknown) => {
    if (!Array.isArray(tokens)) return
    for (const token of tokens as unknown[]) {
      if (!Array.isArray(token)) continue
      const [name, kind, forms] = token as [string, string?, Record<string, unknown>?]
      names.add(name)
      if (kind === undefined) continue
      if (kind !== 'plural') throw new Error(`{${name}, ${kind}} is not used here`)
      const given = Object.entries(forms ?? {}).filter(([, form]) => form !== undefined)
      plurals.push(new Set(given.map(([form]) => form)))
      for (const [, form] of given) read(form)
    }
  }
  read(compileMessageOrThrow(text))
  return { names: sortedSet(names), plurals }
}

function findProblem(language: string, key: string, translation: string, messages: readonly Message[]) {
  if (translation.trim() === '') return 'no translation'
  const [message] = messages
  const text = message?.text ?? key
  if (text !== text.trimStart() && !/^[\s、،]/.test(translation)) return 'begins with a blank in English'
  if (!/[{<]/.test(text)) return /[{}]/.test(translation) ? 'has braces' : undefined
  if (listTags(text) !== listTags(translation)) return `needs the tags ${listTags(text)}`
  const english = readPlaceholders(text)
  const translated = readPlaceholders(translation)
  if (english.names !== translated.names) return `needs the placeholders ${english.names}`
  if (english.plurals.length === 0 && translated.plurals.length > 0) return 'must have no plural'
  for (const forms of translated.plurals) {
    const missing = [...pluralForms(language)].filter((form) => !forms.has(form))
    if (missing.length > 0) return `needs the plural forms ${missing.join(', ')}`
  }
  for (const one of messages) compileText(one, translation)
  return undefined
}

/** @returns what is wrong with a catalogue, and what is missing: 'the problem: the message' */
export function findProblems(
  { messages, keys }: Translatable,
  language: string,
  catalogue: Catalogue,
): string[] {
  const unknown = Object.keys(catalogue).filter((key) => !keys.has(key))
  const describe = (key: string) => {
    try {
      return findProblem(language, key, catalogue[key] ?? '', messages.get(key) ?? [])
    } catch (error) {
      return error instanceof Error ? error.message : 'cannot be read'
    }
  }
  return [
    ...unknown.map((key) => `not a message any more: ${key}`),
    ...[...keys].flatMap((key) => {
      const problem = describe(key)
      return problem === undefined ? [] : [`${problem}: ${key}`]
    }),
  ]
}

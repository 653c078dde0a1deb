import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { collectMessages } from './messages.ts'
import type { Message } from './messages.ts'
import { sentenceTables } from '#shared/sentences/index.ts'
import { collectNames } from './names.ts'

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

/** Whether a template is more than what it is filled with. */
export const hasWords = (template: string): boolean =>
  /\p{L}/u.test(template.replaceAll(/\{\w+(?:, \w+)?\}/g, ''))

/** What is translated. */
export interface Translatable {
  /** by key; of one key, they differ in what they are made of */
  readonly messages: ReadonlyMap<string, readonly Message[]>
  /** what the service says: templates by id */
  readonly sentences: ReadonlyMap<string, string>
  /** of built-in tools, and what built-in integrations say */
  readonly names: ReadonlySet<string>
  /** of every catalogue, in their order */
  readonly keys: ReadonlySet<string>
}

/** Reads all modules with texts, which takes half a second. */
export function collectTranslatable(): Translatable {
  const messages = collectMessages()
  const sentences = new Map(sentenceTables.flatMap((table) => Object.entries(table)))
  const templates = [...sentences.values()].filter(hasWords)
  const names = new Set(collectNames())
  return { messages, sentences, names, keys: new Set([...messages.keys(), ...templates, ...names]) }
}

import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Catalogue, Translatable } from '../web/translation/catalogues.ts'
import { compileText } from '../web/translation/messages.ts'
import type { Message } from '../web/translation/messages.ts'

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
      // a format of numbers, lists or days, which only sentences of the service have
      const isPlain = kind === undefined || kind === 'plural'
      names.add(isPlain ? name : `${name}, ${kind}`)
      if (kind !== 'plural') continue
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

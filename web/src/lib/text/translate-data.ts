import type { ReceivedCode } from './translate-code.ts'
import { translateSentence } from './translate.ts'

/**
 * The data of a tool's result in the language of the page.
 * @param sentences of the product that stand in it, in English
 */
export function translateData(
  data: unknown,
  sentences: readonly (ReceivedCode & { text: string })[] = [],
): unknown {
  if (sentences.length === 0) return data
  const translations = new Map(sentences.map((sentence) => [sentence.text, translateSentence(sentence)]))
  const translate = (value: unknown): unknown => {
    if (typeof value === 'string') return translations.get(value) ?? value
    if (Array.isArray(value)) return value.map(translate)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, translate(field)]))
  }
  return translate(data)
}

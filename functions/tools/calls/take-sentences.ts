import type { Sentence } from '#shared/sentences/sentence.ts'
import { isSaid } from '#shared/sentences/to-sentence.ts'

/**
 * Puts the English text where the result of a tool has a sentence of the product.
 * @returns `sentences`: those that were found, each once. What has none stays the same object.
 */
export function takeSentences(result: unknown): { data: unknown; sentences: readonly Sentence[] } {
  const found = new Map<string, Sentence>()
  const take = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (isSaid(value)) {
      found.set(value.text, value)
      return value.text
    }
    if (Array.isArray(value)) {
      const taken = value.map(take)
      return taken.some((each, index) => each !== value[index]) ? taken : value
    }
    const changed = Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
      const taken = take(field)
      return taken === field ? [] : [[name, taken]]
    })
    return changed.length > 0 ? { ...value, ...Object.fromEntries(changed) } : value
  }
  return { data: take(result), sentences: [...found.values()] }
}

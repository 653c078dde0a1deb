import { formatSentence, toNameId, toSentenceId } from '#shared/sentences/format-sentence.ts'
import type { Params } from '#shared/sentences/sentence.ts'

/** A code of the service and its parameters, as they came. */
export interface ReceivedCode {
  readonly code?: string | undefined
  readonly params?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Makes a translator of what the service says. This module is loaded with a catalogue: a page in English has no use for it.
 * @param templates by the id of a sentence
 * @param names by the English one
 * @returns undefined for a code that a newer service has, or other parameters than the sentence needs
 */
export const createCodeTranslator = (
  templates: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string>>,
  locale: string,
) => {
  const translations = new Map([
    ...Object.entries(templates),
    ...Object.entries(names).map(([name, translation]) => [toNameId(name), translation] as const),
  ])
  const find = (id: string) => translations.get(id)
  return ({ code, params }: ReceivedCode): string | undefined => {
    if (code === undefined) return undefined
    const template = find(toSentenceId({ code, params: params as Params }))
    try {
      return template && formatSentence(template, (params ?? {}) as Params, locale, find)
    } catch {
      // it cannot be filled in: the English text is shown
      return undefined
    }
  }
}

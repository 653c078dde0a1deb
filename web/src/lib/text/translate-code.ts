import { formatSentence, toNameId, toSentenceId } from '#shared/sentences/format-sentence.ts'
import type { Params } from '#shared/sentences/sentence.ts'

/** A code of the service with its parameters, unchecked. */
export interface ReceivedCode {
  readonly code?: string | undefined
  readonly params?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Creates a function that translates the codes of errors, notices and notes of the service. Loaded with a catalogue only: a page in English
 * shows the service's own text.
 * @param templates translated sentences with placeholders, by the id of the sentence
 * @param names translated names that sentences contain, by the English name
 * @param locale formats numbers and dates
 * @returns a function that returns undefined for an unknown code (the service may be newer than the page), and if parameters are missing
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
      // a parameter is missing
      return undefined
    }
  }
}

import { i18n } from '@lingui/core'
import type { Messages } from '@lingui/core'
import { getCatalogue } from './language.ts'
import { language, locale } from './locale.ts'
import type { ReceivedCode } from './translate-code.ts'

/** The build turns macros into calls of these functions (`web/translation`). */

// messages are compiled by the build; one that is a string still needs nothing
i18n.setMessagesCompiler((message) => [message])
i18n.loadAndActivate({ locale: language, locales: locale, messages: getCatalogue()?.messages ?? {} })

/**
 * @param id of a message, or the text of one without placeholders
 * @param message in English, compiled
 * @param values by their position
 */
export const translate = (id: string, message?: Messages[string], values?: readonly unknown[]): string =>
  i18n._(id, values as Record<string, unknown> | undefined, { message: message as unknown as string })

/** What the service says, in the language of the page; its English text if the page does not know the code, or there is none. */
export const translateSentence = ({ text, ...coded }: ReceivedCode & { text: string }): string =>
  getCatalogue()?.translateCode(coded) ?? text

/**
 * Sentences that were joined.
 * @param text of all of them, in English
 * @param codes of each; undefined for what releases before codes have stored
 */
export function translateSentences(
  text: string,
  codes: readonly ReceivedCode[] | undefined,
  separator = ' ',
): string {
  const catalogue = getCatalogue()
  const sentences = catalogue && codes?.map((one) => catalogue.translateCode(one))
  return sentences?.every((one) => one !== undefined) ? sentences.join(separator) : text
}

/** The name of a built-in tool, or what the card of a built-in integration says. */
export const translateName = (name: string): string => getCatalogue()?.translateName(name) ?? name

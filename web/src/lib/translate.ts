import { i18n } from '@lingui/core'
import type { Messages } from '@lingui/core'
import { getCatalogue } from './language.ts'
import { language, locale } from './locale.ts'

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

/**
 * Translates a sentence that the service sends, or that it shares with the page, when it is shown.
 * @param code of the error
 */
export const translateSentence = (sentence: string, code?: string): string =>
  getCatalogue()?.translateSentence(sentence, code) ?? sentence

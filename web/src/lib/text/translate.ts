import { i18n } from '@lingui/core'
import type { Messages } from '@lingui/core'
import { getCatalogue } from './language.ts'
import { language, locale } from './locale.ts'
import type { ReceivedCode } from './translate-code.ts'

/** The build turns macros into calls of these functions (`web/translation`). */

// messages are compiled by the build; one that is a string still needs nothing
i18n.setMessagesCompiler((message) => [message])
const catalogue = getCatalogue()
i18n.loadAndActivate({ locale: language, locales: locale, messages: catalogue?.messages ?? {} })
/** Translates a code into the language of the page; undefined on a page in English, which shows the text beside each code. */
export const translateCode = catalogue?.createCodeTranslator(catalogue.sentences, catalogue.names, locale)

/**
 * @param id of a message, or the text of one without placeholders
 * @param message in English, compiled
 * @param values by their position
 * @returns the message in the language of the page
 */
export const translate = (id: string, message?: Messages[string], values?: readonly unknown[]): string =>
  // Lingui's types know neither compiled messages nor values by position; its code takes both
  i18n._(id, values as Record<string, unknown> | undefined, { message: message as unknown as string })

/** What the service says, in the language of the page; its English text if the page does not know the code, or there is none. */
export const translateSentence = ({ text, ...coded }: ReceivedCode & { text: string }): string =>
  translateCode?.(coded) ?? text

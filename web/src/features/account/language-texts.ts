import { t } from '@lingui/core/macro'

export const language = t`Language`
export const languageHint = t`The language of this page in this browser. Replies are in the language that you write in.`
export const ofBrowser = t`Browser’s language`

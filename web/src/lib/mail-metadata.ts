import { mailLanguageKey } from '#shared/user-pool.ts'
import { language } from './locale.ts'

/** Metadata of requests to the user pool. It makes the service write its mails in the language of the page. */
export const mailMetadata = { [mailLanguageKey]: language }

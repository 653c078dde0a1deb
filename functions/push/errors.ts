import { accountSentences } from '#shared/sentences/account.ts'
import { defineErrors } from '../platform/errors.ts'

export const { NoPushKeys } = defineErrors(accountSentences, {
  /** The keys are not those of a browser, so nothing could be encrypted for it. */
  NoPushKeys: [400, 'bad_request.push_keys'],
})

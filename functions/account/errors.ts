import { accountSentences } from '#shared/sentences/account.ts'
import { defineErrors, defineLimits } from '../platform/errors.ts'

export const { AvatarNotFound, InvalidAvatar, ExportUnfinished } = defineErrors(accountSentences, {
  AvatarNotFound: [404, 'picture_not_found'],
  InvalidAvatar: [400, 'not_a_picture'],
  /** No archive was stored. */
  ExportUnfinished: [503, 'export_unfinished'],
})

export const { TooManyExports } = defineLimits(accountSentences, {
  /** Each export reads everything that is stored of a person. */
  TooManyExports: 'too_many_exports',
})

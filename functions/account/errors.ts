import { formatWait } from '#shared/retry-after.ts'
import { defineErrors, defineLimits } from '../platform/errors.ts'

export const { AvatarNotFound, InvalidAvatar, ExportUnfinished } = defineErrors({
  AvatarNotFound: [404, 'picture_not_found', 'This picture is not there any more. Please choose it again.'],
  InvalidAvatar: [400, 'not_a_picture', 'This is not a picture that can be used. Please choose another one.'],
  /** No archive was stored. */
  ExportUnfinished: [
    503,
    'export_unfinished',
    'Your data could not be put together in the time available. Please try again, or delete files that you no longer need.',
  ],
})

export const { TooManyExports } = defineLimits({
  /** Each export reads everything that is stored of a person. */
  TooManyExports: [
    'too_many_exports',
    (seconds) =>
      `You have exported your data as often as one day allows. Please try again ${formatWait(seconds)}.`,
  ],
})

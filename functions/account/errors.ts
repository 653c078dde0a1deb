import { AppError, LimitReached } from '../platform/errors.ts'

export class AvatarNotFound extends AppError {
  readonly code = 'picture_not_found'
  readonly status = 404
  readonly userMessage = 'This picture is not there any more. Please choose it again.'
}

/** The text is not the one that the sender has seen. */
export class ChangedElsewhere extends AppError {
  readonly code = 'changed_elsewhere'
  readonly status = 409
  readonly userMessage = 'This was changed elsewhere in the meantime. Compare the texts and save again.'
}

export class InvalidAvatar extends AppError {
  readonly code = 'not_a_picture'
  readonly status = 400
  readonly userMessage = 'This is not a picture that can be used. Please choose another one.'
}

/** Each export reads everything that is stored of a person. */
export class TooManyExports extends LimitReached {
  readonly code = 'too_many_exports'
  readonly userMessage = `You have exported your data as often as one day allows. Please try again ${formatHours(this.retryAfterSeconds)}.`
}

/** No archive was stored. */
export class ExportUnfinished extends AppError {
  readonly code = 'export_unfinished'
  readonly status = 503
  readonly userMessage =
    'Your data could not be put together in the time available. Please try again, or delete files that you no longer need.'
}

function formatHours(seconds: number): string {
  const hours = Math.ceil(seconds / 3_600)
  return hours === 1 ? 'in less than an hour' : `in ${hours} hours`
}

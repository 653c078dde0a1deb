import { AppError } from '../platform/errors.ts'

export class NoSuchPicture extends AppError {
  readonly code = 'picture_not_found'
  readonly status = 404
  readonly sentence = 'This picture is not there any more. Please choose it again.'
}

export class NoPicture extends AppError {
  readonly code = 'not_a_picture'
  readonly status = 400
  readonly sentence = 'This is not a picture that can be used. Please choose another one.'
}

/** The user pool does not answer, or not as it should. */
export class AccountServiceUnavailable extends AppError {
  readonly code = 'account_service_unavailable'
  readonly status = 503
  readonly sentence = 'The sign-in service could not be reached. Please try again in a moment.'
}

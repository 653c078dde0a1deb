import { AppError } from '../platform/errors.ts'

/** Unknown, deleted, or somebody else's: the caller is told no difference. */
export class SessionNotFound extends AppError {
  readonly code = 'session_not_found'
  readonly status = 404
  readonly sentence = 'This conversation does not exist, or it was deleted.'
}

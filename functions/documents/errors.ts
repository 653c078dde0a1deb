import { documentSentences } from '#shared/document-sentences.ts'
import { AppError } from '../platform/errors.ts'

/** DOC-13: no file of the caller, whatever else the request names (DEC-003). */
export class FileInaccessible extends AppError {
  readonly code = 'file_inaccessible'
  readonly status = 404
  readonly sentence = documentSentences.inaccessible
}

export class OtherUser extends AppError {
  readonly code = 'other_user'
  readonly status = 403
  readonly sentence = 'You can only analyse your own files.'
}

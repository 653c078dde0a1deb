import { documentMessages } from '#shared/document-messages.ts'
import { AppError, LimitReached, defineErrors } from '../platform/errors.ts'

/** The request does not name a file of the user. */
export class FileInaccessible extends AppError {
  readonly code = 'file_inaccessible'
  readonly status = 404
  readonly userMessage = documentMessages.inaccessible
}

/** The parser cannot be invoked, or failed for a reason other than the document. */
export class DocumentsUnavailable extends AppError {
  readonly code = 'documents_unavailable'
  readonly status = 503
  readonly userMessage = documentMessages.unavailable
}

export const { OtherUser } = defineErrors({
  OtherUser: [403, 'other_user', 'You can only analyse your own files.'],
})

/** Reading a document takes a function for up to 27 s. */
export class TooManyAnalyses extends LimitReached {
  readonly code = 'too_many_analyses'
  readonly userMessage = 'You have had as many documents read as one day allows. Please try again tomorrow.'
}

import { documentMessages } from '#shared/document-messages.ts'
import { defineErrors } from '../platform/errors.ts'

export const { FileInaccessible, DocumentsUnavailable, OtherUser } = defineErrors({
  /** The request does not name a file of the user. */
  FileInaccessible: [404, 'file_inaccessible', documentMessages.inaccessible],
  /** The parser cannot be invoked, or failed for a reason other than the document. */
  DocumentsUnavailable: [503, 'documents_unavailable', documentMessages.unavailable],
  OtherUser: [403, 'other_user', 'You can only analyse your own files.'],
})

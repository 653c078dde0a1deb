import { documentMessages, queryFailed, tableFileGone } from '#shared/document-messages.ts'
import { defineErrors } from '../platform/errors.ts'

export const { FileInaccessible, DocumentsUnavailable, OtherUser, TableFileGone, QueryFailed } = defineErrors(
  {
    /** The request does not name a file of the user. */
    FileInaccessible: [404, 'file_inaccessible', documentMessages.inaccessible],
    /** The parser cannot be invoked, or failed for a reason other than the document. */
    DocumentsUnavailable: [503, 'documents_unavailable', documentMessages.unavailable],
    /** The file of a table is deleted, or read anew without the table. */
    TableFileGone: [404, 'table_file_gone', tableFileGone],
    /** SQLite refused a statement, or it was ended. */
    QueryFailed: [400, 'query_failed', queryFailed],
    OtherUser: [403, 'other_user', 'You can only analyse your own files.'],
  },
)

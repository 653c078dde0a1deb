import { documentSentences } from '#shared/sentences/documents.ts'
import { defineErrors, defineLimits } from '../platform/errors.ts'

export const { FileInaccessible, DocumentsUnavailable, OtherUser, TableFileGone, QueryFailed } = defineErrors(
  documentSentences,
  {
    /** The request does not name a file of the user. */
    FileInaccessible: [404, 'file_inaccessible'],
    /** The parser cannot be invoked, or failed for a reason other than the document. */
    DocumentsUnavailable: [503, 'documents_unavailable'],
    /** The file of a table is deleted, or read anew without the table. */
    TableFileGone: [404, 'table_file_gone'],
    /** SQLite refused a statement, or it was ended. */
    QueryFailed: [400, 'query_failed'],
    OtherUser: [403, 'other_user'],
  },
)

export const { TooManyResultsToday } = defineLimits(documentSentences, {
  TooManyResultsToday: 'too_many_results_today',
})

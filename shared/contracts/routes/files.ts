import {
  attachmentResponse,
  linkResponse,
  listQuery,
  listResponse,
  presignRequest,
  presignResponse,
} from '#shared/contracts/files.ts'
import { success } from '#shared/contracts/success.ts'

/** What the routes of the function 'files' take and answer. */
export const filesContracts = {
  'files.presign': { request: presignRequest, response: presignResponse },
  'files.complete': { response: attachmentResponse },
  'files.link': { response: linkResponse },
  'files.list': { query: listQuery, response: listResponse },
  'files.delete': { response: success },
} as const

import { analyzeRequest, analyzeResponse } from '#shared/contracts/documents.ts'

/** What the routes of the function 'documents' take and answer. */
export const documentsContracts = {
  'documents.analyze': { request: analyzeRequest, response: analyzeResponse },
} as const

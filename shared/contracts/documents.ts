import * as z from 'zod'
import { reading } from '#shared/contracts/files.ts'

/**
 * POST analyze-document. The page sends the attachment's id in `file.id`; without one, `url` must be a link to a file of
 * the caller. Nothing else is ever fetched.
 */
export const analyzeRequest = z.strictObject({
  file: z.object({
    id: z.string().max(64).nullish(),
    name: z.string().max(500),
    type: z.string().max(200).nullish(),
    size: z.number().nonnegative().nullish(),
    url: z.string().max(4_000).nullish(),
  }),
  analysisType: z.literal('analyze'),
  userId: z.string().max(128).nullish(),
})

/**
 * Waits up to 25 s for the service to read the file; then `code` is `still_reading`.
 * A file that cannot be read is a response as well (200, `success: false`): `error` is the sentence of
 * document-messages.ts, `analysis` the same as an explanation for people, and the file stays attached. Errors that are no
 * result of an analysis have their own status: 404 'Unable to access the file', 400, 401, 403 (another's userId).
 */
export const analyzeResponse = z.object({
  success: z.boolean(),
  /** up to 8,000 characters of the document's text, and a marker if it was cut */
  analysis: z.string(),
  error: z.string().nullable(),
  code: z.string().optional(),
  hasActualContent: z.boolean(),
  /** characters before the cut */
  contentLength: z.number().int().nonnegative(),
  /** what the chip says; the same is kept with the attachment */
  reading,
})
export type AnalyzeResponse = z.infer<typeof analyzeResponse>

export const documentsContracts = {
  'documents.analyze': { request: analyzeRequest, response: analyzeResponse },
} as const

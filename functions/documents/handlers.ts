import * as z from 'zod'
import { documentsContracts } from '#shared/contracts/documents.ts'
import { extractionRepository } from '../files/extraction-repository.ts'
import { apiFunction } from '../platform/http/api-function.ts'
import { requestGuards } from '../platform/http/request-guards.ts'
import { parseEnv } from '../platform/env.ts'
import { s3ObjectStore } from '../platform/s3/s3-object-store.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { analysisBudget, analyzeDocument } from './analyze-document.ts'
import { documentParser } from './invoke-parser.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
  UPLOADS_BUCKET: z.string(),
  DOCUMENT_PARSER_FUNCTION: z.string(),
})
const deps = {
  files: extractionRepository(openTable(env.TABLE_NAME)),
  store: s3ObjectStore(env.UPLOADS_BUCKET),
  parse: documentParser(env.DOCUMENT_PARSER_FUNCTION),
  countAnalysis: (sub: string) => requestGuards().limits.countIn(sub, analysisBudget),
}

export const handler = apiFunction('documents', documentsContracts, {
  'documents.analyze': ({ user, body }) => analyzeDocument(deps, user.sub, body),
})

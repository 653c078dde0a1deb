import * as z from 'zod'
import { documentsContracts } from '#shared/contracts/documents.ts'
import { readingRepository } from '../files/reading-repository.ts'
import { readingStarter } from '../files/start-reading.ts'
import { apiFunction } from '../platform/http/api-function.ts'
import { dailyBudget } from '../platform/http/rate-limit.ts'
import { requestGuards } from '../platform/http/request-guards.ts'
import { queryFilesPerDay } from '../platform/limits.ts'
import { parseEnv } from '../platform/env.ts'
import { s3ObjectStore } from '../platform/s3/s3-object-store.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { analyzeDocument } from './analyze-document.ts'
import { TooManyResultsToday } from './errors.ts'
import { repeatQuery } from './repeat-query.ts'
import type { QueryRequest } from './tables/query-contract.ts'
import { queryTables } from './tables/query-tables.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
  UPLOADS_BUCKET: z.string(),
  DOCUMENT_READER_FUNCTION: z.string(),
  DOCUMENT_PARSER_FUNCTION: z.string(),
})
const deps = {
  files: readingRepository(openTable(env.TABLE_NAME)),
  store: s3ObjectStore(env.UPLOADS_BUCKET),
  startReading: readingStarter(env.DOCUMENT_READER_FUNCTION),
  queryTables: (request: QueryRequest, signal: AbortSignal) =>
    queryTables(env.DOCUMENT_PARSER_FUNCTION, request, signal),
}

const resultBudget = dailyBudget('results', queryFilesPerDay, TooManyResultsToday)

export const handler = apiFunction('documents', documentsContracts, {
  'documents.analyze': ({ user, body }) => analyzeDocument(deps, user.sub, body),

  async 'documents.query'({ user, body }) {
    if (body.format === 'csv') await requestGuards().limits.countIn(user.sub, resultBudget)
    return repeatQuery(deps, user.sub, body)
  },
})

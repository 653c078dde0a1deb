import * as z from 'zod'
import { documentsContracts } from '#shared/contracts/routes/documents.ts'
import { readingRepository } from '../files/reading-repository.ts'
import { apiFunction } from '../platform/api-function.ts'
import { parseEnv } from '../platform/env.ts'
import { openObjectStore } from '../platform/object-store.ts'
import { openTable } from '../platform/table.ts'
import { analyzeDocument } from './analyze-document.ts'

const env = parseEnv({ TABLE_NAME: z.string(), UPLOADS_BUCKET: z.string() })
const stores = {
  files: readingRepository(openTable(env.TABLE_NAME)),
  store: openObjectStore(env.UPLOADS_BUCKET),
}

export const handler = apiFunction('documents', documentsContracts, {
  'documents.analyze': ({ user, body }) => analyzeDocument(stores, user.sub, body),
})

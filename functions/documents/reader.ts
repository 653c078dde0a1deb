import * as z from 'zod'
import { readingRepository } from '../files/reading-repository.ts'
import { readingStarter } from '../files/start-reading.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { parseEnv } from '../platform/env.ts'
import { s3ObjectStore } from '../platform/s3/s3-object-store.ts'
import { documentParser } from './invoke-parser.ts'
import { readDocument } from './read-document.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
  UPLOADS_BUCKET: z.string(),
  DOCUMENT_PARSER_FUNCTION: z.string(),
  /** undefined: texts get no vectors */
  DOCUMENT_EMBEDDER_FUNCTION: z.string().optional(),
})
const deps = {
  files: readingRepository(openTable(env.TABLE_NAME)),
  store: s3ObjectStore(env.UPLOADS_BUCKET),
  parse: documentParser(env.DOCUMENT_PARSER_FUNCTION),
  startEmbedding:
    env.DOCUMENT_EMBEDDER_FUNCTION === undefined ? undefined : readingStarter(env.DOCUMENT_EMBEDDER_FUNCTION),
}
const readingEvent = z.strictObject({ sub: z.string().min(1), id: z.string().min(1).max(64) })

/** Has one document read; invoked asynchronously by whoever stores a file, so that Lambda retries it. */
export const handler = (event: unknown): Promise<void> => readDocument(deps, readingEvent.parse(event))

import { sayDocument } from '#shared/sentences/documents.ts'
import { maxFileBytes } from '#shared/limits.ts'
import { truncate } from '#shared/truncate.ts'
import { saveRowOrDelete } from '../files/delete-files.ts'
import { AttachmentNotFound } from '../files/errors.ts'
import {
  indexKey,
  originalKey,
  picturesKey,
  tablesKey,
  textKey,
  vectorsKey,
  type FileDeps,
} from '../files/file-links.ts'
import { isRead, type StoredFile, type StoredReading } from '../files/file-row.ts'
import { claimMs, type FileReading, type ReadingRepository } from '../files/reading-repository.ts'
import { maxExtractedCharacters } from '../platform/limits.ts'
import type { StartReading } from '../files/start-reading.ts'
import { presignUpload } from '../platform/s3/object-writer.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { measure } from '../platform/telemetry/metrics.ts'
import { describeProblem, describeReading, failedReading, unsupportedDocument } from './analysis.ts'
import { documentKind } from './document-kind.ts'
import { DocumentsUnavailable } from './errors.ts'
import type { ParseDocument } from './invoke-parser.ts'
import { storedTypes, type StoredType } from './stored-types.ts'

interface ReadingDeps extends FileDeps<ReadingRepository> {
  parse: ParseDocument
  /** has vectors of a text made; undefined without a model for them */
  startEmbedding?: StartReading | undefined
}

const urlSeconds = 900
const maxAttempts = 4

/**
 * Has a file read, and stores what was read: the text and its index as objects, the rest in the file's row. One reader at a time has a
 * file; a file that is read, gone, or has another reader is left alone.
 * @throws DocumentsUnavailable, ObjectStoreUnavailable, what the table throws; then it can be tried again
 */
export async function readDocument(
  deps: ReadingDeps,
  { sub, id }: { sub: string; id: string },
): Promise<void> {
  const attempt = await deps.files.claim(sub, id, Date.now())
  if (attempt === undefined) return finishReading(deps, sub, id)
  const renewal = setInterval(() => {
    // a lost claim costs a second reading, and nothing else
    deps.files.renewClaim(sub, id, Date.now()).catch(() => undefined)
  }, claimMs / 3)
  try {
    const parsed = await parse(deps, sub, await deps.files.find(sub, id), attempt < maxAttempts)
    await saveReading(deps, sub, id, parsed)
  } catch (error) {
    if (error instanceof AttachmentNotFound) return
    // nobody waits for this function's answer
    logger.error('a document was not read', { error, count: attempt })
    measure({ FailedReadings: 1 }, { code: 'unavailable' })
    if (attempt < maxAttempts) {
      await deps.files.release(sub, id)
      throw error
    }
    await saveReading(deps, sub, id, unread(failedReading(sayDocument('unavailable'))))
    throw error
  } finally {
    clearInterval(renewal)
  }
}

async function finishReading(
  { store, files, startEmbedding }: ReadingDeps,
  sub: string,
  id: string,
): Promise<void> {
  const file = await files.find(sub, id).catch((error: unknown) => {
    if (!(error instanceof AttachmentNotFound)) throw error
  })
  // a reader that was killed while its file was deleted may have stored what it read
  if (!file) return store.remove(listReadKeys(sub, id))
  // whoever is asked to read what is read misses its vectors: they are made of another model, or not at all; their function knows
  if (startEmbedding && isRead(file) && file.text?.isIndexed) await startEmbedding(sub, [id])
}

const unread = (reading: StoredReading): FileReading => ({
  reading,
  extractedText: '',
  length: 0,
  text: undefined,
  pictures: undefined,
  tables: undefined,
  scans: undefined,
})

async function parse(
  { store, parse: parseDocument }: ReadingDeps,
  sub: string,
  file: StoredFile,
  canTryAgain: boolean,
): Promise<FileReading> {
  const kind = documentKind(file)
  if (!kind || file.size > maxFileBytes) return unread(failedReading(unsupportedDocument))
  // a parser that its document has taken over stores no more than others
  const sign = (buildKey: typeof textKey, { type, maxBytes }: StoredType) =>
    presignUpload(store, buildKey(sub, file.id), { type, size: maxBytes, minSize: 0 }, urlSeconds)
  const [url, textForm, indexForm, picturesForm, tablesForm] = await Promise.all([
    store.signUrl(originalKey(sub, file.id), urlSeconds),
    sign(textKey, storedTypes.text),
    sign(indexKey, storedTypes.index),
    sign(picturesKey, storedTypes.pictures),
    sign(tablesKey, storedTypes.tables),
  ])
  const parsed = await parseDocument({
    url,
    kind,
    ...(file.page_url !== undefined && { pageUrl: file.page_url }),
    textForm,
    indexForm,
    picturesForm,
    tablesForm,
  })
  if ('missing' in parsed) return unread(failedReading(sayDocument('inaccessible')))
  if ('problem' in parsed) {
    if (parsed.problem === 'late' && canTryAgain) throw new DocumentsUnavailable('not read in time')
    measure({ FailedReadings: 1 }, { code: parsed.problem })
    return unread(describeProblem(parsed.problem, parsed.kind ?? kind, file.name))
  }
  const { extracted } = parsed
  const plain = (extracted.pages?.plain?.length ?? 0) + (extracted.plain ?? 0)
  measure({ FailedReadings: 0, PlainReadings: plain })
  return {
    reading: describeReading(extracted),
    extractedText: truncate(extracted.beginning, maxExtractedCharacters),
    length: extracted.length,
    text: extracted.hasContent ? extracted.text : undefined,
    pictures: extracted.pictures,
    tables: extracted.tables,
    scans: extracted.scans,
  }
}

const listTextKeys = (sub: string, id: string) =>
  [textKey, indexKey, vectorsKey, tablesKey].map((buildKey) => buildKey(sub, id))
const listReadKeys = (sub: string, id: string) => [...listTextKeys(sub, id), picturesKey(sub, id)]

async function saveReading(
  { store, files, startEmbedding }: ReadingDeps,
  sub: string,
  id: string,
  reading: FileReading,
): Promise<void> {
  const ofText = listTextKeys(sub, id)
  const written = listReadKeys(sub, id)
  await saveRowOrDelete(store, written, () => files.save(sub, id, reading))
  // the objects of an earlier reading, and of a text without content
  if (!reading.text) await store.remove(reading.pictures || reading.scans ? ofText : written)
  else if (reading.text.isIndexed) await startEmbedding?.(sub, [id])
}

import type { RouteRequest, RouteResponse } from '#shared/contracts/route-contracts.ts'
import { documentMessages } from '#shared/document-messages.ts'
import { analysesPerDay, maxExtractedCharacters } from '../platform/limits.ts'
import { maxFileBytes } from '#shared/limits.ts'
import { truncate } from '#shared/truncate.ts'
import { dailyBudget } from '../platform/http/rate-limit.ts'
import { measure } from '../platform/telemetry/metrics.ts'
import { putObject } from '../platform/s3/object-writer.ts'
import { saveRowOrDelete } from '../files/delete-files.ts'
import { AttachmentNotFound } from '../files/errors.ts'
import type { ExtractionRepository } from '../files/extraction-repository.ts'
import { parseLinkedId, originalKey, textKey, type FileDeps } from '../files/file-links.ts'
import type { StoredFile } from '../files/file-row.ts'
import { toAnalysis, buildFailedAnalysis, toFailedAnalysis } from './analysis.ts'
import { documentKind } from './document-kind.ts'
import { FileInaccessible, OtherUser, TooManyAnalyses } from './errors.ts'
import type { ExtractedText } from './extracted-text.ts'
import type { ParseDocument } from './invoke-parser.ts'

interface DocumentDeps extends FileDeps<ExtractionRepository> {
  parse: ParseDocument
  /** @throws TooManyAnalyses */
  countAnalysis: (sub: string) => Promise<void>
}

export const analysisBudget = dailyBudget('analyses', analysesPerDay, TooManyAnalyses)

/** The parser fetches the object at once; the rest is for repeated invocations. */
const urlSeconds = 60

/** @throws FileInaccessible if it is not a completed upload of the user */
async function findFile(
  { files }: FileDeps<ExtractionRepository>,
  sub: string,
  { id, url }: RouteRequest<'documents.analyze'>['file'],
): Promise<StoredFile> {
  const fileId = id ?? parseLinkedId(sub, url)
  if (!fileId) throw new FileInaccessible('the request does not name a file of the user')
  try {
    const file = await files.find(sub, fileId)
    if (file.state !== 'ready') throw new FileInaccessible(`upload of ${fileId} is not completed`)
    return file
  } catch (cause) {
    if (cause instanceof AttachmentNotFound) throw new FileInaccessible(`no file ${fileId}`, { cause })
    throw cause
  }
}

async function runAnalysis(
  { store, parse, countAnalysis }: DocumentDeps,
  sub: string,
  file: StoredFile,
): Promise<{ response: RouteResponse<'documents.analyze'>; extracted?: ExtractedText }> {
  const kind = documentKind(file)
  if (!kind || file.size > maxFileBytes)
    return { response: buildFailedAnalysis(documentMessages.unsupported, 'unsupported') }
  await countAnalysis(sub)
  const url = await store.signUrl(originalKey(sub, file.id), urlSeconds)
  const parsed = await parse({ url, kind })
  if ('missing' in parsed) throw new FileInaccessible(`the object of ${file.id} is gone`)
  if ('problem' in parsed) {
    measure({ FailedReadings: 1 }, { code: parsed.problem })
    return { response: toFailedAnalysis(parsed.problem, parsed.kind ?? kind, file.name) }
  }
  measure({ FailedReadings: 0 })
  return { response: toAnalysis(parsed.extracted), extracted: parsed.extracted }
}

/**
 * Extracts the text of a user's document and returns the beginning of it. Stores the whole text as an object for later turns, and an even
 * shorter beginning in the file's row.
 * @throws FileInaccessible, OtherUser, TooManyAnalyses, DocumentsUnavailable, ObjectStoreUnavailable
 */
export async function analyzeDocument(
  deps: DocumentDeps,
  sub: string,
  { file: requestedFile, userId }: RouteRequest<'documents.analyze'>,
): Promise<RouteResponse<'documents.analyze'>> {
  if (userId && userId !== sub) throw new OtherUser('userId does not match the token')
  const file = await findFile(deps, sub, requestedFile)
  const { response, extracted } = await runAnalysis(deps, sub, file)
  const text = response.success && extracted ? extracted.text : ''
  if (text !== '')
    await putObject(deps.store, {
      key: textKey(sub, file.id),
      body: Buffer.from(text, 'utf8'),
      type: 'text/plain; charset=utf-8',
    })
  const extraction = { reading: response.reading, extractedText: truncate(text, maxExtractedCharacters) }
  try {
    await saveRowOrDelete(deps.store, [textKey(sub, file.id)], () =>
      deps.files.saveExtraction(sub, file.id, extraction),
    )
  } catch (cause) {
    if (!(cause instanceof AttachmentNotFound)) throw cause
    throw new FileInaccessible(`${file.id} was deleted`, { cause })
  }
  return response
}

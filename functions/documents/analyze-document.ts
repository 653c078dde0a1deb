import type { RouteRequest, RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { Reading } from '#shared/contracts/files.ts'
import { sayDocument } from '#shared/sentences/documents.ts'
import type { Params, Sentence } from '#shared/sentences/sentence.ts'
import { toCodes } from '#shared/sentences/to-sentence.ts'
import { maxAnalysisCharacters } from '#shared/limits.ts'
import { AttachmentNotFound } from '../files/errors.ts'
import { parseLinkedId, toReading, type FileDeps } from '../files/file-links.ts'
import { isRead, type StoredFile } from '../files/file-row.ts'
import type { ReadingRepository } from '../files/reading-repository.ts'
import type { StartReading } from '../files/start-reading.ts'
import { readTextRange } from '../files/read-text-range.ts'
import { wait } from '../platform/clock.ts'
import { capAnalysis, unsupportedDocument } from './analysis.ts'
import { FileInaccessible, OtherUser } from './errors.ts'

type Analysis = RouteResponse<'documents.analyze'>

interface AnalysisDeps extends FileDeps<Pick<ReadingRepository, 'find'>> {
  startReading: StartReading
}

/** Slightly less than the timeout of the gateway. */
const maxWaitMs = 25_000
const pollMs = 300

/** @throws FileInaccessible if it is not a completed upload of the user */
async function findFile(
  { files }: Pick<AnalysisDeps, 'files'>,
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

/** The beginning of a document's text. Waits for a reading that is under way, and starts one that nobody has begun. */
export async function analyzeDocument(
  deps: AnalysisDeps,
  sub: string,
  { file: requestedFile, userId }: RouteRequest<'documents.analyze'>,
): Promise<Analysis> {
  if (userId && userId !== sub) throw new OtherUser('userId does not match the token')
  let file = await findFile(deps, sub, requestedFile)
  if (!isRead(file)) {
    // the clock of the machine may be set back, or stand still
    const endsAtMs = performance.now() + maxWaitMs
    await deps.startReading(sub, [file.id])
    while (!isRead(file) && performance.now() < endsAtMs) {
      await wait(pollMs)
      file = await findFile(deps, sub, { ...requestedFile, id: file.id })
    }
  }
  return describe(deps, sub, file)
}

async function describe({ store }: AnalysisDeps, sub: string, file: StoredFile): Promise<Analysis> {
  const reading = toReading(file) ?? {
    state: 'unreadable' as const,
    note: file.reading?.note ?? unsupportedDocument.text,
    codes: file.reading ? file.reading.codes : toCodes([unsupportedDocument]),
  }
  if (reading.state === 'pending') return fail(reading, sayDocument('still_reading'))
  const { text } = file
  const beginning =
    text &&
    (await readTextRange(store, sub, { id: file.id, text }, { from: 0, to: maxAnalysisCharacters + 1 }))
  if (beginning === undefined) return fail(reading, toSentence(reading, file.reading?.code))
  return {
    success: true,
    analysis: capAnalysis(beginning),
    error: null,
    hasActualContent: true,
    contentLength: file.text_length ?? text?.characters ?? 0,
    reading,
  }
}

function toSentence({ note, codes: [said] = [] }: Reading, code = 'unreadable'): Sentence {
  if (note === undefined) return { ...sayDocument('inaccessible'), code }
  return { code, params: said?.params as Params | undefined, text: note }
}

const fail = (reading: Reading, { text, code, params }: Sentence): Analysis => ({
  success: false,
  analysis: text,
  error: text,
  code,
  ...(params && { params }),
  hasActualContent: false,
  contentLength: 0,
  reading,
})

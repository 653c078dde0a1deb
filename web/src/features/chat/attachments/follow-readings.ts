import type { Attachment, Reading } from '#shared/contracts/files.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import type { UploadQueue } from './upload-queue.ts'

/** The service waits 25 s for a reading; its gateway ends a request after 29 s. */
const readingTimeoutMs = 60_000

/** Asks how much of a document the service has read. @throws what `callApi` throws */
async function fetchReading({ id, name, type, size }: Attachment, signal: AbortSignal): Promise<Reading> {
  const body = { file: { id, name, type, size }, analysisType: 'analyze' as const }
  const { reading } = await callApi('documents.analyze', { body }, { signal, timeoutMs: readingTimeoutMs })
  return reading
}

const followed = new WeakSet<UploadQueue>()

/**
 * Keeps the readings of a draft's documents up to date, until all of them have ended. One at a time is asked for: each request waits, and a
 * browser has few connections.
 */
export async function followReadings(queue: UploadQueue): Promise<void> {
  if (followed.has(queue)) return
  followed.add(queue)
  const { files } = queue
  for (let file = findPending(queue); file; file = findPending(queue)) {
    const { key, attachment } = file
    const controller = new AbortController()
    const unsubscribe = files.subscribe(() => {
      if (!files.getState().some((one) => one.key === key)) controller.abort()
    })
    // without an answer nothing is said of it: the reply waits for the reading in any case
    const reading = await fetchReading(attachment, controller.signal).catch(() => undefined)
    unsubscribe()
    queue.update(key, { attachment: { ...attachment, reading } })
  }
  followed.delete(queue)
}

function findPending({ files }: UploadQueue) {
  for (const { key, attachment } of files.getState())
    if (attachment?.reading?.state === 'pending') return { key, attachment }
  return undefined
}

import { isDocument } from '#shared/file-kinds.ts'
import type { ReadingFileDeps, ReadingWait } from '../../files/file-links.ts'
import { isRead, type StoredFile } from '../../files/file-row.ts'
import { wait } from '../../platform/clock.ts'
import { waitLimitsMs } from '../../platform/wait-limits.ts'

const pollMs = 400

const isPending = (file: StoredFile) => file.state === 'ready' && isDocument(file) && !isRead(file)

/**
 * Finds files of the user, and waits for those that are being read. Nobody may be reading them: a file of an earlier version, or one whose
 * reading could not be started; so it starts the reading of those that no reader has claimed.
 * @returns by id; documents that are not read in time are pending still
 */
export async function findReadFiles(
  { files, startReading, readingWait }: Pick<ReadingFileDeps, 'files' | 'startReading' | 'readingWait'>,
  sub: string,
  ids: readonly string[],
): Promise<Map<string, StoredFile>> {
  if (ids.length === 0) return new Map()
  const found = await files.findMany(sub, ids)
  let pending = [...found.values()].filter(isPending)
  for (const file of found.values()) if (isDocument(file) && !isPending(file)) readingWait?.onReading(file)
  if (pending.length === 0) return found
  const { signal, onReading, endsAtMs }: Partial<ReadingWait> = {
    // the clock of the machine may be set back, or stand still
    endsAtMs: performance.now() + waitLimitsMs.readingAgain,
    ...readingWait,
  }
  const isOver = () => signal?.aborted === true || performance.now() >= endsAtMs
  const unclaimed = pending.filter(({ reading_until: until = 0 }) => until < Date.now())
  if (unclaimed.length > 0)
    await startReading(
      sub,
      unclaimed.map(({ id }) => id),
    )
  if (!isOver()) for (const file of pending) onReading?.(file)
  while (pending.length > 0 && !isOver()) {
    await wait(pollMs)
    const again = await files.findMany(
      sub,
      pending.map(({ id }) => id),
    )
    for (const [id, file] of again) found.set(id, file)
    const read = [...again.values()].filter((file) => !isPending(file))
    if (signal?.aborted !== true) for (const file of read) onReading?.(file)
    pending = [...again.values()].filter(isPending)
  }
  return found
}

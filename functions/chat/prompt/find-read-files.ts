import { setTimeout as wait } from 'node:timers/promises'
import { isDocument } from '#shared/file-kinds.ts'
import type { ReadingFileDeps } from '../../files/file-links.ts'
import { isRead, type StoredFile } from '../../files/file-row.ts'
import { waitLimitsMs } from '../../platform/wait-limits.ts'

const pollMs = 400

const isPending = (file: StoredFile) => file.state === 'ready' && isDocument(file) && !isRead(file)

/**
 * Finds files of the user, and waits for those that are being read. Nobody may be reading them: a file of an earlier version, or one whose
 * reading could not be started; so it starts their reading, too.
 * @returns by id; documents that are not read in time are pending still
 */
export async function findReadFiles(
  { files, startReading }: Pick<ReadingFileDeps, 'files' | 'startReading'>,
  sub: string,
  ids: readonly string[],
): Promise<Map<string, StoredFile>> {
  if (ids.length === 0) return new Map()
  const found = await files.findMany(sub, ids)
  let pending = [...found.values()].filter(isPending)
  if (pending.length === 0) return found
  // the clock of the machine may be set back, or stand still
  const endsAtMs = performance.now() + waitLimitsMs.reading
  await startReading(
    sub,
    pending.map(({ id }) => id),
  )
  while (pending.length > 0 && performance.now() < endsAtMs) {
    await wait(pollMs)
    const again = await files.findMany(
      sub,
      pending.map(({ id }) => id),
    )
    for (const [id, file] of again) found.set(id, file)
    pending = [...again.values()].filter(isPending)
  }
  return found
}

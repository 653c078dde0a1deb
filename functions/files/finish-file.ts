import { isDocument } from '#shared/file-kinds.ts'
import type { BaseFileRepository } from './base-file-repository.ts'
import type { StoredFile } from './file-row.ts'
import type { StartReading } from './start-reading.ts'

/**
 * Makes a stored object a file of the user, whatever stored it: an upload, an import, a drive or a tool. The service reads documents from
 * here on.
 * @throws AttachmentNotFound if it was deleted
 */
export async function finishFile(
  { files, startReading }: { files: Pick<BaseFileRepository, 'markReady'>; startReading: StartReading },
  sub: string,
  file: StoredFile,
): Promise<void> {
  await files.markReady(sub, file)
  if (isDocument(file)) await startReading(sub, [file.id])
}

import { plural, t } from '@lingui/core/macro'
import { showToast } from '../../../components/ui/toast.ts'
import type { ChosenFile, UploadQueue } from './upload-queue.ts'
import { describeFileLimits } from './file-limits.ts'
import { shorten } from '../../../lib/text/shorten.ts'

/** A longer pasted text, of two to three printed pages, becomes a file, so that the conversation stays readable. */
export const longPasteCharacters = 8_000
/** How many rejected files a toast names, and how much of their names it has room for. */
const maxNamedFiles = 3
const maxNameCharacters = 40

/** Attaches files to a draft. A toast names the first rejected ones with reasons, and counts the others. @returns whether none was rejected */
export function attachFiles(queue: UploadQueue, files: readonly ChosenFile[]): boolean {
  const rejectedFiles = queue.add(files)
  if (rejectedFiles.length === 0) return true
  const reasons = rejectedFiles
    .slice(0, maxNamedFiles)
    .map(({ name, reason }) => `${shorten(name, maxNameCharacters)}: ${reason}`)
  const more = rejectedFiles.length - reasons.length
  showToast(
    'warning',
    plural({ count: rejectedFiles.length }, { 1: 'Not attached', other: `# files not attached` }),
    {
      id: 'files-refused',
      description: [
        ...reasons,
        ...(more > 0 ? [t`and ${{ count: more }} more.`] : []),
        `${describeFileLimits()}.`,
      ].join(' '),
    },
  )
  return false
}

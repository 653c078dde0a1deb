import { t } from '@lingui/core/macro'
import { fileKind, isNameOnly } from '#shared/file-kinds.ts'
import { describeReading } from '../../../components/describe-reading.ts'
import type { DraftAttachment } from './upload-queue.ts'

function formatProgress(progress: number) {
  const percent = Math.floor(progress * 100)
  return t`uploading ${percent} %`
}

/** The status of a file, as it is shown beside its size. */
interface ChipStatus {
  text: string
  tone: 'plain' | 'ok' | 'bad'
}

export function getChipStatus(file: DraftAttachment): ChipStatus {
  switch (file.status) {
    case 'waiting':
      return { text: t`waiting`, tone: 'plain' }
    case 'uploading':
      return { text: formatProgress(file.progress), tone: 'plain' }
    case 'checking':
      return { text: t`checking`, tone: 'plain' }
    case 'failed':
      return {
        text: file.isLost ? t`Not uploaded. Attach it again.` : (file.error ?? t`could not be uploaded`),
        tone: 'bad',
      }
    case 'ready':
      return getReadyStatus(file)
  }
}

function getReadyStatus(file: DraftAttachment): ChipStatus {
  const { url, previewUrl, reading } = file.attachment ?? {}
  const note = reading?.state === 'read' ? undefined : describeReading({ reading })
  if (note !== undefined) return { text: note, tone: reading?.state === 'pending' ? 'plain' : 'bad' }
  // a restored draft has no links, so it is not known whether the picture was converted
  const mayBeConverted = previewUrl !== undefined || (fileKind(file) === 'image' && url === undefined)
  if (!isNameOnly(file) || mayBeConverted) return { text: t`ready`, tone: 'ok' }
  return {
    text:
      fileKind(file) === 'image'
        ? t`attached; this browser cannot convert it, so it is not looked at`
        : t`attached, content is not read`,
    tone: 'plain',
  }
}

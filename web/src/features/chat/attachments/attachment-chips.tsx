import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { RotateCw, X } from 'lucide-react'
import { useState } from 'react'
import { fileKind, formatKb, isNameOnly } from '#shared/file-kinds.ts'
import { describeReading } from '../../../components/describe-reading.ts'
import { FileIcon } from '../../../components/file-icon.tsx'
import { CopyDetails } from '../../../components/ui/copy-details.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { fileLinkQuery } from '../../../lib/api/file-links.ts'
import { locale } from '../../../lib/text/locale.ts'
import type { DraftAttachment, UploadQueue } from './upload-queue.ts'

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

/** The files of a draft, above its text. */
export function AttachmentChips({ queue, files }: { queue: UploadQueue; files: readonly DraftAttachment[] }) {
  return (
    <ul
      aria-label={t`Attached files`}
      className="flex max-h-48 flex-wrap gap-2 overflow-y-auto px-2 pt-2 scroll-quiet"
    >
      {files.map((file) => (
        <Chip
          key={file.key}
          file={file}
          onRetry={() => queue.retry(file.key)}
          onRemove={() => queue.remove(file.key)}
        />
      ))}
    </ul>
  )
}

const toneClasses = { plain: undefined, ok: 'text-success-ink', bad: 'text-danger-ink' }

function Chip({
  file,
  onRetry,
  onRemove,
}: {
  file: DraftAttachment
  onRetry: () => void
  onRemove: () => void
}) {
  const chipStatus = getChipStatus(file)
  const isBusy = file.status === 'uploading' || file.status === 'checking' || file.status === 'waiting'
  return (
    <li
      data-status={file.status}
      className="relative flex max-w-full min-w-0 items-center gap-2.5 overflow-hidden rounded-md bg-surface-hover p-1.5 pe-1 text-ui"
    >
      <span className="grid size-9 shrink-0 place-items-center overflow-hidden rounded-sm bg-surface-raised text-ink-muted">
        {fileKind(file) === 'image' ? <Thumbnail file={file} /> : <FileIcon file={file} />}
      </span>
      <span className="min-w-0">
        <span className="block max-w-60 truncate font-medium" title={file.name} dir="auto">
          {file.name}
        </span>
        <span className="flex flex-wrap gap-x-1.5 text-xs text-ink-muted">
          {file.size > 0 && (
            <>
              <span>{formatKb(file.size, locale)}</span>
              <span aria-hidden>·</span>
            </>
          )}
          <span
            // a key, so that a failure is a new element: screen readers announce an alert that is inserted
            key={chipStatus.tone}
            className={toneClasses[chipStatus.tone]}
            {...(chipStatus.tone === 'bad' && { role: 'alert' })}
          >
            {chipStatus.text}
          </span>
          {file.cause !== undefined && <CopyDetails error={file.cause} />}
        </span>
      </span>
      {file.canRetry && (
        <IconButton size="sm" label={t`Retry ${file.name}`} icon={<RotateCw size={16} />} onClick={onRetry} />
      )}
      <IconButton
        size="sm"
        label={isBusy ? t`Cancel ${file.name}` : t`Remove ${file.name}`}
        icon={<X size={16} />}
        onClick={onRemove}
      />
      {isBusy && (
        <progress
          aria-label={t`Upload of ${file.name}`}
          value={file.progress}
          className={clsx(
            'absolute inset-x-0 bottom-0 h-0.5 w-full appearance-none bg-transparent',
            '[&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent [&::-moz-progress-bar]:bg-accent',
          )}
        />
      )}
    </li>
  )
}

/** The thumbnail of an image: of the local file if this page has it, otherwise of the stored one. */
function Thumbnail({ file }: { file: DraftAttachment }) {
  return file.thumbnail === undefined && file.attachment ? (
    <StoredThumbnail file={file} id={file.attachment.id} />
  ) : (
    <ThumbnailImage file={file} src={file.thumbnail} />
  )
}

function StoredThumbnail({ file, id }: { file: DraftAttachment; id: string }) {
  const { data } = useQuery(fileLinkQuery(id))
  return <ThumbnailImage file={file} src={data?.previewUrl ?? data?.url} />
}

/** An image, or the icon of its file while it has no link and if the browser cannot show it, such as HEIC. */
function ThumbnailImage({ file, src }: { file: DraftAttachment; src: string | undefined }) {
  const [failedSrc, setFailedSrc] = useState<string>()
  if (src === undefined || src === failedSrc) return <FileIcon file={file} />
  return <img src={src} alt="" onError={() => setFailedSrc(src)} className="size-full object-cover" />
}

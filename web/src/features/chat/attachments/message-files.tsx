import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { ImageOff } from 'lucide-react'
import { useId, useState } from 'react'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Attachment } from '#shared/contracts/files.ts'
import { formatKb, isImage, isNameOnly } from '#shared/file-kinds.ts'
import type { ToolCall, Usage } from '#shared/contracts/chat.ts'
import { toToolCall, type ReplyCall } from '#shared/reply/reply-state.ts'
import { parseTableResult } from '#shared/table-result.ts'
import { FileIcon } from '../../../components/file-icon.tsx'
import { useFileDownload } from '../../../components/use-file-download.ts'
import { describeReading } from '../../../components/describe-reading.ts'
import { locale, formatCount } from '../../../lib/text/locale.ts'
import { cardClass } from '../../../components/ui/card-class.ts'
import { isNotFound } from '../../../lib/api/api-errors.ts'
import { fileLinkQuery, shownLinkQuery } from '../../../lib/api/file-links.ts'

const formatDownloadLabel = (name: string) => t`Download ${name}`

/** The files of a message: images, players for audio, and cards to download the others. */
export function MessageFiles({
  files,
  onOpenImage,
  isEndAligned = false,
}: {
  files: readonly Attachment[]
  onOpenImage: (image: Attachment) => void
  /** right-aligned, for messages of the user */
  isEndAligned?: boolean
}) {
  const images = files.filter(hasPreview)
  const otherFiles = files.filter((file) => !hasPreview(file))
  return (
    <div className={clsx('flex w-full flex-col gap-2', isEndAligned ? 'items-end' : 'items-start')}>
      {images.length > 0 && (
        <div className={clsx('flex w-full flex-wrap gap-2', isEndAligned && 'justify-end')}>
          {images.map((file) => (
            <MessageImage
              key={file.id}
              file={file}
              isSmall={images.length > 1}
              onOpen={() => onOpenImage(file)}
            />
          ))}
        </div>
      )}
      {otherFiles.map((file) =>
        isAudio(file) ? (
          <AudioCard key={file.id} file={file} position={findPosition(file, files)} />
        ) : (
          <FileCard key={`${file.id} ${file.version}`} file={file} position={findPosition(file, files)} />
        ),
      )}
    </div>
  )
}

/** Tells files of the same name apart, such as '1 of 2', and versions of a made file; undefined if there is one. */
function findPosition(
  { id, name, version, versions = [] }: Attachment,
  files: readonly Attachment[],
): string | undefined {
  if (version !== undefined)
    return versions.length > 1
      ? t`Version ${{ version }} of ${{ count: versions.at(-1)?.version ?? version }}`
      : undefined
  const namesakes = files.filter((file) => file.name === name)
  const index = namesakes.findIndex((file) => file.id === id)
  return namesakes.length > 1 ? t`${{ version: index + 1 }} of ${{ count: namesakes.length }}` : undefined
}

interface CardProps {
  file: Attachment
  /** such as '1 of 2' among files of the same name */
  position: string | undefined
}

const hasPreview = (file: Attachment) => !file.isDeleted && (isImage(file) || file.previewUrl !== undefined)

/** Decided by the type, which the server has checked for files of tools. */
const isAudio = ({ type, isDeleted }: Attachment) => !isDeleted && type.startsWith('audio/')

/** The sides of the squares in which images are shown; 27rem and 13rem in their classes. */
const imagePx = 432
const smallImagePx = 208
/** The smallest target that is easy to press. */
const minImagePx = 44

/**
 * The size of the frame of an image, which is scaled down to fit into a square and never enlarged; the frame is large enough to be
 * pressed.
 * @returns undefined for an image without a size, whose frame stays 3:2 as before it has loaded
 */
function fitFrame({ naturalWidth, naturalHeight }: HTMLImageElement, maxPx: number) {
  if (naturalWidth === 0 || naturalHeight === 0) return undefined
  const scale = Math.min(1, maxPx / naturalWidth, maxPx / naturalHeight)
  return {
    width: Math.max(minImagePx, naturalWidth * scale),
    height: Math.max(minImagePx, naturalHeight * scale),
  }
}

/** An image, which opens in the viewer. Its space does not change when it fails. */
function MessageImage({ file, isSmall, onOpen }: { file: Attachment; isSmall: boolean; onOpen: () => void }) {
  const { src, isUnavailable, isGone, onError } = useViewLink(file)
  const [size, setSize] = useState<{ width: number; height: number }>()
  return (
    <figure
      className={clsx('w-full', isSmall ? 'max-w-[13rem]' : 'max-w-[27rem]')}
      style={size && { width: size.width }}
    >
      <button
        type="button"
        aria-label={t`Open image full screen: ${file.name}`}
        onClick={onOpen}
        style={size && { aspectRatio: `${size.width} / ${size.height}` }}
        className="relative grid aspect-3/2 w-full cursor-zoom-in place-items-center overflow-hidden rounded-lg bg-surface-sunken text-ink-faint"
      >
        {isUnavailable ? (
          <span className="flex items-center gap-2 p-4 text-sm">
            <ImageOff aria-hidden size={16} />
            {isGone ? t`No longer available` : t`The image could not be loaded.`}
          </span>
        ) : (
          src !== undefined && (
            <img
              src={src}
              alt={file.prompt ?? file.name}
              loading="lazy"
              onError={onError}
              onLoad={({ currentTarget }) =>
                setSize(fitFrame(currentTarget, isSmall ? smallImagePx : imagePx))
              }
              className="absolute inset-0 size-full object-scale-down"
            />
          )
        )}
      </button>
    </figure>
  )
}

/** A player above the card of its file. Without a link that works, only the card. */
function AudioCard({ file, position }: CardProps) {
  const { src, isUnavailable, onError } = useViewLink(file)
  return (
    <div className="flex w-full max-w-[27rem] flex-col gap-1.5">
      {!isUnavailable && src !== undefined && (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- a tool returned no captions
        <audio
          controls
          preload="none"
          src={src}
          aria-label={file.name}
          onError={onError}
          className="w-full"
        />
      )}
      <FileCard file={file} position={position} />
    </div>
  )
}

/** A card that downloads a file, and says what the assistant could not read. */
function FileCard({ file, position }: CardProps) {
  const detailsId = useId()
  const download = useFileDownload()
  const isDeleted = file.isDeleted === true
  const isUnreadable = !isDeleted && file.reading?.state === 'unreadable'
  const note = isDeleted
    ? t`deleted`
    : (describeReading(file) ?? (isNameOnly(file) ? t`content is not read` : undefined))
  return (
    <button
      type="button"
      disabled={isDeleted}
      // a deleted file is named by its text, which says so
      {...(!isDeleted && {
        'aria-label': formatDownloadLabel(position === undefined ? file.name : `${file.name} (${position})`),
        // the label hides the text of the button: what was not read, for example
        'aria-describedby': detailsId,
      })}
      onClick={() => void download(file)}
      className={clsx(
        cardClass,
        'inline-flex max-w-full items-center gap-3 py-2 pe-3.5 ps-2 text-start [--hairline:var(--color-line-strong)] enabled:hover:[--hairline:var(--color-line-control)] disabled:cursor-default',
      )}
    >
      <span className="grid size-10 shrink-0 place-items-center rounded-sm bg-surface-hover text-ink-muted">
        <FileIcon file={file} />
      </span>
      <span className="min-w-0">
        <span className="block truncate font-medium" dir="auto">
          {file.name}
        </span>
        <span id={detailsId} className="flex flex-wrap gap-x-1.5 text-xs text-ink-muted">
          {position !== undefined && (
            <>
              <span>{position}</span>
              <span aria-hidden>·</span>
            </>
          )}
          <span>{formatKb(file.size, locale)}</span>
          {note !== undefined && (
            <>
              <span aria-hidden>·</span>
              <span className={clsx('max-w-[34rem]', isUnreadable && 'text-danger-ink')}>{note}</span>
            </>
          )}
        </span>
      </span>
    </button>
  )
}

type PartFile = NonNullable<Usage['partFiles']>[number]

/**
 * Says of which documents the model was given only a part for a reply, and with which tables it has calculated. Each reply reads its documents
 * anew, so several may say it of one.
 */
export function PartFiles({
  files,
  calls,
}: {
  files: readonly PartFile[]
  calls: readonly (ToolCall | ReplyCall)[]
}) {
  const sources = calls.flatMap(
    (call) => parseTableResult('id' in call ? toToolCall(call) : call)?.sources ?? [],
  )
  const isQueried = ({ id, name }: PartFile) =>
    // files of an assistant have no id that can be used again
    sources.some(({ file_id: fileId, file }) => (fileId === undefined ? file === name : fileId === id))
  const shown = files.filter((file) => file.rows === undefined || isQueried(file))
  if (shown.length === 0) return null
  return (
    <p className="max-w-(--width-note) text-sm text-ink-muted">
      {shown.map((file) => (
        <span key={file.id}>{describePart(file)} </span>
      ))}
      {shown.some(({ rows }) => rows === undefined) && t`The assistant can search the rest.`}
    </p>
  )
}

const describePart = (file: PartFile) => {
  const { name } = file
  if (file.rows !== undefined) return describeCalculatedRows(name, formatCount(file.rows))
  const given = formatCount(file.given)
  const total = formatCount(file.of)
  return (
    <Trans>
      This reply had room for {given} of {total} characters of{' '}
      <bdi className="font-medium text-ink">{name}</bdi>.
    </Trans>
  )
}
const describeCalculatedRows = (name: string, rows: string) => (
  <Trans>
    The assistant calculates with all {rows} rows of <bdi className="font-medium text-ink">{name}</bdi>.
  </Trans>
)

/**
 * The link that shows a file. When it fails, a new one is fetched once, because it may have expired while the page was open.
 * @returns `src`: undefined while there is none yet; `isUnavailable`: neither link works; `isGone`: the file no longer exists
 */
function useViewLink({ id, type, url, previewUrl }: Attachment) {
  const queryClient = useQueryClient()
  // the original of a GIF, because its copy is not animated
  const chooseLink = (links: Pick<Attachment, 'url' | 'previewUrl'>) =>
    type === 'image/gif' ? (links.url ?? links.previewUrl) : (links.previewUrl ?? links.url)
  const shownLink = shownLinkQuery(id, chooseLink({ url, previewUrl }))
  const { data: initialUrl } = useQuery(shownLink)
  const [failedUrl, setFailedUrl] = useState<string>()
  const { data, error } = useQuery({
    ...fileLinkQuery(id),
    enabled: initialUrl === undefined || failedUrl === initialUrl,
  })
  const freshUrl = data && chooseLink(data)
  const src = initialUrl !== undefined && failedUrl !== initialUrl ? initialUrl : freshUrl
  // an error alone tells nothing: a download has asked for a link, too, while the first one works
  const isUnavailable =
    (src === undefined && error !== null) || (freshUrl !== undefined && failedUrl === freshUrl)
  const onError = () => {
    queryClient.removeQueries({ queryKey: shownLink.queryKey })
    setFailedUrl(src)
  }
  return { src, isUnavailable, isGone: isNotFound(error), onError }
}

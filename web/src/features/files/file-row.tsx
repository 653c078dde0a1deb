import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Download, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from '../../lib/navigation/router.tsx'
import type { Attachment } from '#shared/contracts/files.ts'
import { fileKind, formatSize, isImage, type FileKind } from '#shared/file-kinds.ts'
import { FileIcon } from '../../components/file-icon.tsx'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { useFileDownload } from '../../components/use-file-download.ts'
import { useFileLinkHandlers } from '../../components/use-file-link-handlers.ts'
import { formatDateTimeLong, formatDate } from '../../lib/text/dates.ts'
import { formatConversationTitle } from '../../lib/conversations/conversation-title.ts'
import { locale } from '../../lib/text/locale.ts'
import { conversationPath } from '../../lib/navigation/new-chat.ts'
import type { ListedFile } from './files-queries.ts'

const kindNames: Readonly<Record<FileKind, string>> = {
  pdf: t`PDF`,
  document: t`Document`,
  spreadsheet: t`Spreadsheet`,
  image: t`Image`,
  audio: t`Audio`,
  video: t`Video`,
  archive: t({ message: 'Archive', context: 'file type' }),
  other: t`File`,
}

/** Browsers show most of these in a tab, and download the others. */
const opensInTab = (file: ListedFile) => ['pdf', 'audio', 'video'].includes(fileKind(file))

interface FileRowProps {
  file: ListedFile
  /** titles of the user's conversations, by id */
  titles: ReadonlyMap<string, string>
  onView: (image: Attachment) => void
  onDelete: () => void
}

/** A file with a link to one of its conversations, and buttons to download and delete it. */
export function FileRow({ file, titles, onView, onDelete }: FileRowProps) {
  const download = useFileDownload()
  const created = new Date(file.created_at)
  return (
    <li className="flex items-center gap-3 px-4 py-2.5 not-first:border-t not-first:border-line max-sm:px-3">
      <span className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-sm bg-surface-hover text-ink-muted">
        <Thumbnail file={file} />
      </span>
      <div className="min-w-0 flex-1">
        <FileName file={file} onView={onView} onDownload={() => void download(file)} />
        <p className="flex flex-wrap gap-x-1.5 text-xs text-ink-muted">
          <span>{file.isGenerated && isImage(file) ? t`Generated image` : kindNames[fileKind(file)]}</span>
          <span aria-hidden>·</span>
          <span>{formatSize(file.size, locale)}</span>
          <span aria-hidden>·</span>
          <time dateTime={file.created_at} title={formatDateTimeLong(created)}>
            {formatDate(created)}
          </time>
        </p>
        <p className="truncate text-xs text-ink-muted">
          <FileUses file={file} titles={titles} />
        </p>
      </div>
      <span className="flex shrink-0">
        <IconButton
          label={t`Download ${file.name}`}
          tooltip={false}
          icon={<Download size={18} strokeWidth={1.75} />}
          onClick={() => void download(file)}
        />
        <IconButton
          label={t`Delete ${file.name}`}
          tooltip={false}
          icon={<Trash2 size={18} strokeWidth={1.75} />}
          onClick={onDelete}
        />
      </span>
    </li>
  )
}

/** The image itself, or the icon of the file. */
function Thumbnail({ file }: Pick<FileRowProps, 'file'>) {
  // its link may have expired; the list brings a new one
  const [failedUrl, setFailedUrl] = useState<string>()
  const url = isImage(file) ? (file.previewUrl ?? file.url) : undefined
  if (url === undefined || url === failedUrl) return <FileIcon file={file} />
  return (
    <img
      src={url}
      alt=""
      loading="lazy"
      onError={() => setFailedUrl(url)}
      className="size-full object-cover"
    />
  )
}

/** The name of a file, which opens it: an image in the viewer, what browsers show in a tab, anything else as a download. */
function FileName({
  file,
  onView,
  onDownload,
}: Pick<FileRowProps, 'file' | 'onView'> & { onDownload: () => void }) {
  const getLinkHandlers = useFileLinkHandlers()
  const name = (
    <span className="block truncate font-medium" dir="auto" title={file.name}>
      {file.name}
    </span>
  )
  const className = 'block max-w-full rounded-xs text-start text-ink hover:underline'
  const isViewed = isImage(file)
  if (!isViewed && opensInTab(file) && file.url !== undefined)
    return (
      <a
        href={file.url}
        target="_blank"
        rel="noopener noreferrer"
        {...getLinkHandlers(file)}
        className={className}
      >
        {name}
      </a>
    )
  return (
    <button type="button" onClick={isViewed ? () => onView(file) : onDownload} className={className}>
      {name}
    </button>
  )
}

/** Where a file is used, with a link to the first conversation that is listed. */
function FileUses({ file, titles }: Pick<FileRowProps, 'file' | 'titles'>) {
  const ids = file.session_ids
  const listedId = ids.find((id) => titles.has(id))
  if (listedId === undefined) return describeUnlistedUse(file)
  return formatUses(
    <Link to={conversationPath(listedId)} className="link" dir="auto">
      {formatConversationTitle(titles.get(listedId) ?? '')}
    </Link>,
    // also those that no list has, such as temporary ones
    ids.length - 1,
  )
}

function describeUnlistedUse({ session_ids: ids, project_ids: projectIds }: ListedFile): string {
  if (ids.length > 0) return t`In a conversation`
  return projectIds.length > 0 ? t`In a project` : t`Not used in a chat`
}

/** @param others how many conversations are not linked */
const formatUses = (link: ReactNode, others: number) =>
  others === 0 ? (
    <Trans>In {link}</Trans>
  ) : (
    <Trans>
      In {link} and {plural(others, { one: '# more', other: '# more' })}
    </Trans>
  )

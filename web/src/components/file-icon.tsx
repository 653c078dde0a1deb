import {
  File,
  FileArchive,
  FileAudio,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileType,
  FileVideo,
  type LucideIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { fileKind, type FileKind, type NamedFile } from '#shared/file-kinds.ts'

const icons: Record<FileKind, LucideIcon> = {
  pdf: FileType,
  document: FileText,
  spreadsheet: FileSpreadsheet,
  image: FileImage,
  audio: FileAudio,
  video: FileVideo,
  archive: FileArchive,
  other: File,
}

/** The icon of a file, by its extension or else by its type. */
export function FileIcon({ file }: { file: NamedFile }) {
  const kind = fileKind(file)
  const Icon = icons[kind]
  return <Icon aria-hidden data-kind={kind} size={20} strokeWidth={1.75} />
}

/** The icon and the name of a file, with facts about it below. */
export function FileSummary({ file, children }: { file: NamedFile; children: ReactNode }) {
  return (
    <>
      <span className="text-ink-muted">
        <FileIcon file={file} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" dir="auto" title={file.name}>
          {file.name}
        </p>
        <p className="text-xs text-ink-muted">{children}</p>
      </div>
    </>
  )
}

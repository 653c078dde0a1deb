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

/** The icon for a kind of file. */
export function FileIcon({ file }: { file: NamedFile }) {
  const kind = fileKind(file)
  const Icon = icons[kind]
  return <Icon aria-hidden data-kind={kind} size={20} strokeWidth={1.75} />
}

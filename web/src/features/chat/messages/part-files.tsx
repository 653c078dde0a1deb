import type { Usage } from '#shared/contracts/chat.ts'
import * as texts from './part-files-texts.tsx'

/** Of which documents the model was given a part for a reply. Each reply reads anew, so a file may stand at several. */
export function PartFiles({ files }: { files: NonNullable<Usage['partFiles']> }) {
  return (
    <p className="max-w-[60ch] text-sm text-ink-muted">
      {files.map((file) => (
        <span key={file.id}>{texts.partOf(file)} </span>
      ))}
      {texts.searchesRest}
    </p>
  )
}

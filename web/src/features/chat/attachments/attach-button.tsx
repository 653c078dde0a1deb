import { Paperclip } from 'lucide-react'
import { useRef } from 'react'
import { pickerAccept } from '#shared/file-kinds.ts'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { fileLimitsText } from './file-limits.ts'

/** Opens the picker (ATT-06); what may be attached is said before (DEC-036). */
export function AttachButton({
  onFiles,
  className,
}: {
  onFiles: (files: readonly File[]) => void
  className?: string
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton
        label="Attach files"
        description={fileLimitsText}
        icon={<Paperclip size={20} strokeWidth={1.75} />}
        onClick={() => input.current?.click()}
        {...(className !== undefined && { className })}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        accept={pickerAccept}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          // the same file can be chosen again
          currentTarget.value = ''
        }}
      />
    </>
  )
}

import { t } from '@lingui/core/macro'
import { Paperclip } from 'lucide-react'
import { useRef } from 'react'
import { pickerAccept } from '#shared/file-kinds.ts'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { describeFileLimits } from './file-limits.ts'

/** A component, so that the text is formatted only when the tooltip is shown. */
const FileLimits = () => describeFileLimits()

/** Opens the file picker. Its tooltip lists the limits. */
export function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton
        label={t`Attach files`}
        description={<FileLimits />}
        icon={<Paperclip size={20} strokeWidth={1.75} />}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t`Files to attach`}
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

import { t } from '@lingui/core/macro'
import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react'
import { useMemo } from 'react'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { downloadBlob } from '../../../lib/browser/download.ts'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { CopyButton } from '../markdown/copy-button.tsx'
import { StepButton } from '../step-button.tsx'
import { getTitle, kindNames, toFile } from './preview-file.ts'
import type { Preview } from './use-preview.ts'

/** The title of the shown version, the buttons to step through the versions, and those for its code. */
export function PreviewToolbar({
  shown,
  index,
  newestIndex,
  count,
  isWriting,
  choose,
  onClose,
}: Pick<Preview, 'shown' | 'index' | 'newestIndex' | 'count' | 'isWriting' | 'choose'> & {
  onClose: (() => void) | undefined
}) {
  const title = useMemo(() => getTitle(shown), [shown])
  const kind = kindNames[shown.kind]
  return (
    <header className="flex min-h-(--height-topbar) shrink-0 flex-wrap items-center gap-x-1 border-b border-line py-1 pe-2 ps-5">
      {title !== undefined && (
        <p dir="auto" className="me-1 max-w-[60%] truncate font-semibold">
          {revealHiddenCharacters(title)}
        </p>
      )}
      <h2 className={title === undefined ? 'font-semibold' : 'text-sm text-ink-muted'}>{kind}</h2>
      <p role="status" className="ms-2 min-w-0 flex-1 truncate text-sm text-ink-muted">
        {isWriting && t`A version is being written…`}
      </p>
      <div className="ms-auto flex items-center gap-x-1">
        <div className="flex items-center text-sm text-ink-muted">
          {count > 1 && (
            <StepButton
              label={t`Earlier version`}
              icon={<ChevronLeft size={16} />}
              blockedReason={index === 0 ? t`This is the first version.` : undefined}
              onPress={() => choose(index - 1)}
            />
          )}
          {/* there before its text, so that screen readers announce the second version */}
          <span role="status">{count > 1 && t`Version ${{ number: index + 1 }} of ${count}`}</span>
          {count > 1 && (
            <StepButton
              label={t`Later version`}
              icon={<ChevronRight size={16} />}
              blockedReason={index < newestIndex ? undefined : explainNewest({ isLast: index === count - 1 })}
              onPress={() => choose(index + 1)}
            />
          )}
        </div>
        <CopyButton label={t`Copy code`} text={shown.content} />
        <IconButton
          size="sm"
          label={t`Download`}
          icon={<Download size={16} />}
          onClick={() => {
            const { blob, name } = toFile(shown)
            downloadBlob(blob, name)
          }}
        />
        {onClose && (
          <IconButton size="sm" label={t`Close preview`} icon={<X size={16} />} onClick={onClose} />
        )}
      </div>
    </header>
  )
}

/** Says why no later version can be shown. */
const explainNewest = ({ isLast }: { isLast: boolean }) =>
  isLast ? t`This is the newest version.` : t`A version is being written…`

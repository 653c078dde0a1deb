import { plural, t } from '@lingui/core/macro'
import { ArrowLeft, Pin, PinOff, Search, SquarePen } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { shortcuts } from '../../lib/input/shortcuts.ts'
import type { SavedConversations } from './use-saved-conversations.ts'

interface PanelButtonsProps {
  isDocked: boolean
  onSearch: () => void
  /** docks the panel beside the page, or has it open over the page; undefined if there is no room for both */
  onToggleDock: (() => void) | undefined
}

/** The buttons beside the title of the panel. */
export function PanelButtons({ isDocked, onSearch, onToggleDock }: PanelButtonsProps) {
  return (
    <>
      <IconButton
        label={t`Search conversations`}
        // on focus it would take the Escape that closes the panel
        tooltip={isDocked}
        icon={<Search size={20} strokeWidth={1.75} />}
        onClick={onSearch}
      />
      {onToggleDock && (
        <IconButton
          label={isDocked ? t`Open over the chat instead` : t`Keep open beside the chat`}
          tooltip={isDocked}
          icon={isDocked ? <PinOff size={20} strokeWidth={1.75} /> : <Pin size={20} strokeWidth={1.75} />}
          onClick={onToggleDock}
        />
      )}
    </>
  )
}

/** The heading of the archive, with the button that leaves it. */
export function ArchiveHeading({ onBack }: { onBack: () => void }) {
  return (
    <div className="flex items-center gap-2 px-4 pt-1 pb-3">
      <IconButton
        label={t`Back to the conversations`}
        // it gets the focus by itself: its tooltip would take the Escape that closes the panel
        tooltip={false}
        ref={takeFocus}
        icon={<ArrowLeft size={20} strokeWidth={1.75} />}
        onClick={onBack}
        size="lg"
      />
      <h3 className="font-medium">{t`Archived`}</h3>
    </div>
  )
}

/** The button that has led here is gone. */
const takeFocus = (element: HTMLElement | null) => element?.focus()

const newChatKeys = `Shift+${shortcuts.newChat.key}`

/** The button above the conversations that starts a new chat. */
export function NewChatButton({ onClick }: { onClick: () => void }) {
  return (
    <div className="px-3 pt-1 pb-3">
      <Button
        variant="soft"
        block
        aria-keyshortcuts={`Control+${newChatKeys} Meta+${newChatKeys}`}
        onClick={onClick}
      >
        <SquarePen aria-hidden size={16} />
        {t`Start Fresh Chat`}
      </Button>
    </div>
  )
}

/** How many conversations there are, and the way to the archive. */
export function PanelFooter({
  list,
  onOpenArchive,
}: {
  list: SavedConversations
  onOpenArchive: () => void
}) {
  const isArchive = list.view === 'archived'
  const archiveButton = useRef<HTMLButtonElement>(null)
  const wasArchive = useRef(isArchive)
  useEffect(() => {
    // the button that has led back is gone
    if (wasArchive.current && !isArchive) archiveButton.current?.focus()
    wasArchive.current = isArchive
  }, [isArchive])
  return (
    <div className="flex min-h-11 items-center justify-between border-t border-line px-5 text-xs text-ink-faint">
      <p>{list.isLoaded && describeCount(list)}</p>
      {!isArchive && (
        <button ref={archiveButton} type="button" className="link min-h-11" onClick={onOpenArchive}>
          {t`Archived`}
        </button>
      )}
    </div>
  )
}

function describeCount({ view, count, isCountExact }: SavedConversations): string {
  if (view === 'archived')
    return plural(count, { one: '# conversation archived', other: `# conversations archived` })
  return isCountExact
    ? plural(count, { one: '# conversation saved', other: `# conversations saved` })
    : plural(count, { one: 'More than # conversation saved', other: `More than # conversations saved` })
}

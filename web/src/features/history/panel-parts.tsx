import { plural, t } from '@lingui/core/macro'
import { ArrowLeft, Pin, PinOff, Search, SquarePen } from 'lucide-react'
import { Button } from '../../components/ui/button.tsx'
import { IconButton } from '../../components/ui/icon-button.tsx'
import type { SavedConversations } from './use-saved-conversations.ts'

interface PanelButtonsProps {
  docked: boolean
  onSearch: () => void
  /** pins the panel beside the page, or has it open over the page; absent if there is no room for both */
  onDock: ((docked: boolean) => void) | undefined
}

/** The buttons beside the title of the panel. */
export function PanelButtons({ docked, onSearch, onDock }: PanelButtonsProps) {
  return (
    <>
      <IconButton
        label={t`Search conversations`}
        // on focus it would take the Escape that closes the panel
        tooltip={docked}
        icon={<Search size={20} strokeWidth={1.75} />}
        onClick={onSearch}
      />
      {onDock && (
        <IconButton
          label={docked ? t`Open over the chat instead` : t`Keep open beside the chat`}
          tooltip={docked}
          icon={docked ? <PinOff size={20} strokeWidth={1.75} /> : <Pin size={20} strokeWidth={1.75} />}
          onClick={() => onDock(!docked)}
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

const takeFocus = (element: HTMLElement | null) => element?.focus()

/** The button above the conversations that starts a new chat. */
export function NewChatButton({ onClick }: { onClick: () => void }) {
  return (
    <div className="px-3 pt-1 pb-3">
      <Button variant="soft" block aria-keyshortcuts="Control+Shift+O Meta+Shift+O" onClick={onClick}>
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
  return (
    <div className="flex min-h-11 items-center justify-between border-t border-line px-5 text-xs text-ink-faint">
      <p>{list.isLoaded && describeCount(list)}</p>
      {!isArchive && (
        <button type="button" className="link min-h-11" onClick={onOpenArchive}>
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

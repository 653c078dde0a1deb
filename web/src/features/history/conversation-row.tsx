import { plural, t } from '@lingui/core/macro'
import clsx from 'clsx'
import { Trash2 } from 'lucide-react'
import { memo, useRef, useState } from 'react'
import type { Session } from '#shared/contracts/messages.ts'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { useStore } from '../../lib/browser/create-store.ts'
import { formatDateTimeLong } from '../../lib/text/dates.ts'
import { isFocusLost } from '../../lib/input/focus-targets.ts'
import { replyingConversations } from '../../lib/conversations/replying-conversations.ts'
import { useInput } from '../../lib/input/use-input.ts'
import { formatConversationTitle } from '../../lib/conversations/conversation-title.ts'
import type { ConversationActions } from './conversation-actions.ts'
import { ConversationMenu } from './conversation-menu.tsx'
import { TitleField } from './title-field.tsx'

interface ConversationRowProps {
  conversation: Session
  isCurrent: boolean
  /** formatted time of the last update */
  lastUpdate: string
  /** of the project that it belongs to */
  projectName: string | undefined
  /** whether it is one line, and what stands on the second line is in its tooltip */
  isCompact?: boolean
  /** whether Tab leads to it: of the whole list to one row */
  isTabStop: boolean
  /** must be stable: rows are memoised */
  actions: ConversationActions
}

/** Rows are laid out only near the screen; the others count as high as a row of two lines, or of one. */
const rowLayout = {
  twoLines: 'py-2 [contain-intrinsic-block-size:auto_3.5rem]',
  oneLine: 'h-8.5 [contain-intrinsic-block-size:auto_2.125rem] pointer-coarse:h-11',
}

/** One conversation of the list. A click on the row opens it, unless it is open. */
export const ConversationRow = memo(function ConversationRow({
  conversation,
  isCurrent,
  lastUpdate,
  projectName,
  isCompact = false,
  isTabStop,
  actions,
}: ConversationRowProps) {
  const { onSelect, onDelete, onRename } = actions
  const menuButton = useRef<HTMLButtonElement>(null)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const { id, message_count: count } = conversation
  const isReplying = useStore(replyingConversations).has(id)
  const state = isReplying ? t`Writing a reply` : plural(count, { one: '# message', other: `# messages` })
  const details = [state, lastUpdate, projectName].filter((part) => part !== undefined).join(' · ')
  const title = formatConversationTitle(conversation.title)
  const titleInput = useInput(`title/${id}`, { stored: title, onLeave: 'keep' })
  if (titleInput.isOpen)
    return (
      <li className="px-1 py-1.5">
        <TitleField
          id={id}
          input={titleInput}
          onEnd={(next, { hasLeft }) => {
            titleInput.reset()
            if (next !== undefined && next !== title) onRename(conversation, next)
            // once the row has its button again; a press elsewhere has given the focus to what was pressed
            requestAnimationFrame(() => {
              if (!hasLeft || isFocusLost()) menuButton.current?.focus()
            })
          }}
        />
      </li>
    )
  return (
    <li
      data-session={id}
      className={clsx(
        'group/row relative flex items-center rounded-md px-3 [content-visibility:auto]',
        isCompact ? rowLayout.oneLine : rowLayout.twoLines,
        isCurrent
          ? 'bg-accent-soft [--row:var(--color-accent-soft)] forced-colors:outline-2 forced-colors:-outline-offset-2'
          : [
              'hover:bg-surface-hover hover:[--row:var(--color-surface-hover)]',
              isMenuOpen && 'bg-surface-hover [--row:var(--color-surface-hover)]',
            ],
      )}
    >
      <button
        type="button"
        tabIndex={isTabStop ? 0 : -1}
        aria-current={isCurrent || undefined}
        onClick={() => {
          if (!isCurrent) onSelect(id)
        }}
        className={clsx(
          'min-w-0 flex-1 text-start after:absolute after:inset-0 after:rounded-md',
          'outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus',
          isCurrent && 'cursor-default',
        )}
      >
        {isCompact ? (
          <span className="flex items-center gap-2" title={`${title}\n${details}`}>
            <span className="truncate" dir="auto">
              {title}
            </span>
            {isReplying && (
              <span aria-hidden className="size-1.5 shrink-0 animate-breathe rounded-full bg-accent" />
            )}
            <span className="sr-only">{details}</span>
          </span>
        ) : (
          <>
            <span className="block truncate font-medium" title={title} dir="auto">
              {title}
            </span>
            <RowDetails {...{ state, conversation, isCurrent, lastUpdate, projectName }} />
          </>
        )}
      </button>
      {/* over the end of the title, where it takes no room until it is seen; always seen beside it where nothing can hover */}
      <span
        className={clsx(
          'absolute inset-y-0 end-1.5 z-1 flex items-center rounded-md bg-(--row,var(--color-surface)) opacity-0',
          'before:absolute before:inset-y-0 before:-start-4 before:w-4 before:bg-linear-to-r before:from-transparent before:to-(--row,var(--color-surface)) rtl:before:bg-linear-to-l',
          'group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:static pointer-coarse:bg-transparent pointer-coarse:opacity-100 pointer-coarse:before:hidden',
          isMenuOpen && 'opacity-100',
        )}
      >
        <ConversationMenu
          conversation={conversation}
          actions={actions}
          button={menuButton}
          onEditTitle={titleInput.open}
          onOpenChange={setMenuOpen}
        />
        <IconButton
          size="sm"
          tabIndex={-1}
          label={t`Delete ${title}`}
          tooltip={false}
          icon={<Trash2 size={16} />}
          onClick={() => onDelete(conversation)}
        />
      </span>
    </li>
  )
})

/** The line below the title: the number of messages or the reply under way, the last update, and the project. */
function RowDetails({
  state,
  conversation: { updated_at: updatedAt },
  isCurrent,
  lastUpdate,
  projectName,
}: Pick<ConversationRowProps, 'conversation' | 'isCurrent' | 'lastUpdate' | 'projectName'> & {
  state: string
}) {
  return (
    <span className={clsx('block truncate text-xs', isCurrent ? 'text-ink-muted' : 'text-ink-faint')}>
      {state} ·{' '}
      <time dateTime={updatedAt} title={formatDateTimeLong(new Date(updatedAt))} className="relative z-1">
        {lastUpdate}
      </time>
      {projectName !== undefined && (
        <>
          {' · '}
          <bdi title={projectName}>{projectName}</bdi>
        </>
      )}
    </span>
  )
}

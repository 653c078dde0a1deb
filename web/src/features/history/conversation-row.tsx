import { plural, t } from '@lingui/core/macro'
import clsx from 'clsx'
import { Trash2 } from 'lucide-react'
import { memo, useRef } from 'react'
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
  /** must be stable: rows are memoised */
  actions: ConversationActions
}

/** Rows are laid out only near the screen; the others count as high as a row of two lines. */
const rowLayout = '[content-visibility:auto] [contain-intrinsic-block-size:auto_3.5rem]'

/** Buttons that are shown on hover or focus, and always on touch screens. */
const hiddenUntilHoverClass =
  'relative z-1 opacity-0 group-hover/row:opacity-100 focus-visible:opacity-100 group-focus-within/row:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100'

/** One conversation of the list. A click on the row opens it, unless it is open. */
export const ConversationRow = memo(function ConversationRow({
  conversation,
  isCurrent,
  lastUpdate,
  projectName,
  actions,
}: ConversationRowProps) {
  const { onSelect, onDelete, onRename } = actions
  const menuButton = useRef<HTMLButtonElement>(null)
  const { id } = conversation
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
        'group/row relative flex items-center gap-2 rounded-md px-3 py-2',
        rowLayout,
        isCurrent
          ? 'bg-accent-soft forced-colors:outline-2 forced-colors:-outline-offset-2'
          : 'hover:bg-surface-hover',
      )}
    >
      <button
        type="button"
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
        <span className="block truncate font-medium" title={title} dir="auto">
          {title}
        </span>
        <RowDetails {...{ conversation, isCurrent, lastUpdate, projectName }} />
      </button>
      <ConversationMenu
        conversation={conversation}
        actions={actions}
        button={menuButton}
        buttonClass={hiddenUntilHoverClass}
        onEditTitle={titleInput.open}
      />
      <IconButton
        size="sm"
        label={t`Delete ${title}`}
        tooltip={false}
        icon={<Trash2 size={16} />}
        onClick={() => onDelete(conversation)}
        className={clsx(hiddenUntilHoverClass, '-me-1.5 -ms-1.5')}
      />
    </li>
  )
})

/** The line below the title: the number of messages or the reply under way, the last update, and the project. */
function RowDetails({
  conversation: { id, message_count: count, updated_at: updatedAt },
  isCurrent,
  lastUpdate,
  projectName,
}: Omit<ConversationRowProps, 'actions'>) {
  const isReplying = useStore(replyingConversations).has(id)
  return (
    <span className={clsx('block truncate text-xs', isCurrent ? 'text-ink-muted' : 'text-ink-faint')}>
      {isReplying ? t`Writing a reply` : plural(count, { one: '# message', other: `# messages` })} ·{' '}
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

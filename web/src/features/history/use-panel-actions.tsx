import type { ReactNode } from 'react'
import { lazyComponent } from '../../components/lazy-component.tsx'
import { useActions } from '../../lib/actions/actions.ts'
import { useCanShare } from '../../lib/queries/share-queries.ts'
import { useStableActions, type ConversationActions, type LeaveConversation } from './conversation-actions.ts'
import { useConversationDialog, type ConversationDialogProps } from './conversation-dialog.tsx'
import { useExportConversation } from './export-conversation.ts'
import { focusMovedRow, focusNeighbourDelete, focusNeighbourMenu } from './row-focus.ts'
import { useDeleteConversation } from './use-delete-conversation.ts'
import { useFlagConversation, useRenameConversation } from './use-update-conversation.ts'

const ShareDialog = lazyComponent(() => import('./share-dialog.tsx'), 'ShareDialog', null)
const renderShareDialog = (props: ConversationDialogProps) => <ShareDialog {...props} />

/** What other features can do with a conversation. */
export interface OtherActions {
  /** the dialog that moves a conversation to a project */
  renderMoveDialog: (props: ConversationDialogProps) => ReactNode
  /** the dialog that prints a conversation */
  renderPrintDialog: (props: ConversationDialogProps) => ReactNode
  /** downloads a conversation as a Word document */
  onExportWord: ConversationActions['onExportWord']
}

interface PanelActionsOptions extends OtherActions {
  onSelect: (id: string) => void
  leave: LeaveConversation
}

/**
 * What the panel does with conversations of its list. The focus follows the rows that move or disappear.
 * @returns the actions, which are stable; their dialogs; and `undoLast`, which undoes the newest deletion, and returns whether there was one
 */
export function usePanelActions({
  onSelect,
  leave,
  renderMoveDialog,
  renderPrintDialog,
  onExportWord,
}: PanelActionsOptions) {
  const { undoLast } = useActions()
  const remove = useDeleteConversation(leave)
  const flag = useFlagConversation(leave)
  const isSharingOn = useCanShare()
  const share = useConversationDialog(renderShareDialog)
  const move = useConversationDialog(renderMoveDialog)
  const print = useConversationDialog(renderPrintDialog)
  const actions = useStableActions({
    onSelect,
    onDelete: (conversation) => {
      // from its button, or from its menu
      if (!focusNeighbourDelete(conversation.id)) focusNeighbourMenu(conversation.id)
      remove(conversation)
    },
    onRename: useRenameConversation(),
    onFlag: (conversation, flags) => {
      if (flags.pinned !== undefined) focusMovedRow(conversation.id)
      if (flags.archived !== undefined) focusNeighbourMenu(conversation.id)
      flag(conversation, flags)
    },
    onShare: isSharingOn ? share.open : undefined,
    onMove: move.open,
    onPrint: print.open,
    onExport: useExportConversation(),
    onExportWord,
  })
  const dialogs = (
    <>
      {move.dialog}
      {print.dialog}
      {share.dialog}
    </>
  )
  return { actions, dialogs, undoLast }
}

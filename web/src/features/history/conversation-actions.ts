import { useLayoutEffect, useMemo, useRef } from 'react'
import type { Session } from '#shared/contracts/messages.ts'
import type { ExportFormat } from './export-conversation.ts'
import type { ConversationFlags } from './use-update-conversation.ts'

/** Opens a dialog about a conversation. @param findOpener finds what gets the focus when it closes */
type OpenDialog = (conversation: Session, findOpener: () => HTMLElement | null) => void

/** Leaves a conversation if it is open, for a new chat. @returns opens it again, unless the user has gone on; undefined if it was not open */
export type LeaveConversation = (id: string) => (() => void) | undefined

/** What can be done with a conversation of the list. */
export interface ConversationActions {
  onSelect: (id: string) => void
  onDelete: (conversation: Session) => void
  onRename: (conversation: Session, title: string) => void
  onFlag: (conversation: Session, flags: ConversationFlags) => void
  /** undefined if the operator has switched sharing off */
  onShare?: OpenDialog | undefined
  /** moves it to a project */
  onMove: OpenDialog
  onPrint: OpenDialog
  onExport: (id: string, format: ExportFormat) => void
  onExportWord: (conversation: Session) => void
}

/** Stable functions that call the latest actions, so that memoised rows do not render again. */
export function useStableActions(actions: ConversationActions): ConversationActions {
  const newest = useRef(actions)
  useLayoutEffect(() => {
    newest.current = actions
  })
  const canShare = actions.onShare !== undefined
  return useMemo(
    () => ({
      onSelect: (...args) => newest.current.onSelect(...args),
      onDelete: (...args) => newest.current.onDelete(...args),
      onRename: (...args) => newest.current.onRename(...args),
      onFlag: (...args) => newest.current.onFlag(...args),
      ...(canShare && { onShare: (...args) => newest.current.onShare?.(...args) }),
      onMove: (...args) => newest.current.onMove(...args),
      onPrint: (...args) => newest.current.onPrint(...args),
      onExport: (...args) => newest.current.onExport(...args),
      onExportWord: (...args) => newest.current.onExportWord(...args),
    }),
    [canShare],
  )
}

import { useLayoutEffect, useMemo, useRef } from 'react'
import type { Session } from '#shared/contracts/messages.ts'
import type { ConversationFlags } from './use-update-conversation.ts'

type OpenDialog = (conversation: Session, findOpener: () => HTMLElement | null) => void

/** What can be done with a conversation of the list. */
export interface ConversationActions {
  onSelect: (id: string) => void
  onDelete: (conversation: Session) => void
  onRename: (conversation: Session, title: string) => void
  onFlag: (conversation: Session, flags: ConversationFlags) => void
  /** absent if the operator has switched sharing off */
  onShare?: OpenDialog | undefined
  /** moves it to a project */
  onMove?: OpenDialog | undefined
  onPrint?: OpenDialog | undefined
  onExport: (id: string, format: 'markdown' | 'json') => void
  onExportWord?: ((conversation: Session) => void) | undefined
}

/** Stable functions that call the latest actions, so that memoised rows do not render again. */
export function useStableActions(actions: ConversationActions): ConversationActions {
  const newest = useRef(actions)
  useLayoutEffect(() => {
    newest.current = actions
  })
  const canShare = actions.onShare !== undefined
  const canMove = actions.onMove !== undefined
  const canPrint = actions.onPrint !== undefined
  const canExportWord = actions.onExportWord !== undefined
  return useMemo(
    () => ({
      onSelect: (...args) => newest.current.onSelect(...args),
      onDelete: (...args) => newest.current.onDelete(...args),
      onRename: (...args) => newest.current.onRename(...args),
      onFlag: (...args) => newest.current.onFlag(...args),
      onExport: (...args) => newest.current.onExport(...args),
      ...(canShare && { onShare: (...args) => newest.current.onShare?.(...args) }),
      ...(canMove && { onMove: (...args) => newest.current.onMove?.(...args) }),
      ...(canPrint && { onPrint: (...args) => newest.current.onPrint?.(...args) }),
      ...(canExportWord && { onExportWord: (...args) => newest.current.onExportWord?.(...args) }),
    }),
    [canShare, canMove, canPrint, canExportWord],
  )
}

import { Fragment, useState, type ReactNode } from 'react'
import type { Session } from '#shared/contracts/messages.ts'

/** What a dialog about a conversation is shown with. */
export interface ConversationDialogProps {
  conversation: Session
  findFocusTarget: () => HTMLElement | null
  open: boolean
  onClose: () => void
}

/** A dialog about a conversation. */
interface DialogRequest {
  conversation: Session
  findOpener: () => HTMLElement | null
  open: boolean
  /** increases with each request */
  sequence: number
}

/** A dialog about a conversation of the list: what it is about, and functions that open and close it. */
export function useConversationDialog() {
  const [request, setRequest] = useState<DialogRequest>()
  const show = (conversation: Session, findOpener: DialogRequest['findOpener']) =>
    setRequest((last) => ({ conversation, findOpener, open: true, sequence: (last?.sequence ?? 0) + 1 }))
  const close = () => setRequest((last) => last && { ...last, open: false })
  return [request, show, close] as const
}

/** Renders the requested dialog. Each request gets a new one, without the input of the last; it stays mounted while it closes. */
export const renderDialog = (
  request: DialogRequest | undefined,
  onClose: () => void,
  render: ((props: ConversationDialogProps) => ReactNode) | undefined,
) =>
  request && (
    <Fragment key={request.sequence}>
      {render?.({
        conversation: request.conversation,
        findFocusTarget: request.findOpener,
        open: request.open,
        onClose,
      })}
    </Fragment>
  )

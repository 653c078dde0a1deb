import { Fragment, useState, type ReactNode } from 'react'
import type { Session } from '#shared/contracts/messages.ts'

/** What a dialog about a conversation is shown with. */
export interface ConversationDialogProps {
  conversation: Session
  /** what gets the focus when it closes */
  findFocusTarget: () => HTMLElement | null
  open: boolean
  onClose: () => void
}

/** The conversation that a dialog is about. */
interface DialogRequest {
  conversation: Session
  findOpener: () => HTMLElement | null
  open: boolean
  /** increases with each request */
  sequence: number
}

/**
 * A dialog about a conversation of the list. Each request gets a new one, without the input of the last; it stays mounted while it closes.
 * @returns the dialog, undefined before the first request; and the function that opens it
 */
export function useConversationDialog(render: (props: ConversationDialogProps) => ReactNode) {
  const [request, setRequest] = useState<DialogRequest>()
  const open = (conversation: Session, findOpener: DialogRequest['findOpener']) =>
    setRequest((last) => ({ conversation, findOpener, open: true, sequence: (last?.sequence ?? 0) + 1 }))
  const dialog = request && (
    <Fragment key={request.sequence}>
      {render({
        conversation: request.conversation,
        findFocusTarget: request.findOpener,
        open: request.open,
        onClose: () => setRequest((last) => last && { ...last, open: false }),
      })}
    </Fragment>
  )
  return { dialog, open }
}

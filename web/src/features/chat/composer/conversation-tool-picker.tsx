import { use } from 'react'
import { ToolPickerContext } from '../../../lib/tool-picker-context.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'

/** The tool picker of a conversation: which tools its next replies may use. */
export function ConversationToolPicker({ conversation }: { conversation: Conversation }) {
  const renderPicker = use(ToolPickerContext)
  const disabledTools = useConversationState(conversation, (state) => state.disabledTools)
  return renderPicker?.({
    disabledTools,
    onChange: (next) => conversation.choose({ disabledTools: next }),
  })
}

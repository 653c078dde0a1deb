import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { useStore } from '../../../lib/create-store.ts'
import { ToolPickerContext } from '../../../lib/tool-picker-context.ts'
import type { Conversation } from '../state/conversation.ts'

/** The tool picker of a conversation: which tools its next replies may use. */
export function ConversationToolPicker({
  conversation,
}: {
  conversation: Pick<Conversation, 'query' | 'disabledTools'>
}) {
  const renderPicker = use(ToolPickerContext)
  const chosenHere = useStore(conversation.disabledTools)
  const { data: stored } = useQuery({ ...conversation.query, enabled: false })
  return renderPicker?.({
    disabledTools: chosenHere ?? stored?.disabledTools ?? [],
    onChange: (disabledTools) => conversation.disabledTools.setState(disabledTools),
  })
}

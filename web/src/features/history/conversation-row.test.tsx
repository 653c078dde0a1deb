import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { Session } from '#shared/contracts/messages.ts'
import type { ConversationActions } from './conversation-actions.ts'
import { ConversationRow } from './conversation-row.tsx'
import { openInput } from '../../lib/use-input.ts'

const conversation: Session = {
  id: 'c1',
  user_id: 'u',
  title: 'Boiling eggs',
  created_at: '2023-11-20T09:00:00Z',
  updated_at: '2023-11-20T09:00:00Z',
  message_count: 2,
}
const onRename = vi.fn<ConversationActions['onRename']>()
const actions: ConversationActions = {
  onSelect: vi.fn<() => void>(),
  onDelete: vi.fn<() => void>(),
  onFlag: vi.fn<() => void>(),
  onExport: vi.fn<() => void>(),
  onRename,
}

it('a title that is being typed goes with its row to another group, with the focus and the caret', () => {
  const renderRow = (group: string) => (
    <ul key={group}>
      <ConversationRow conversation={conversation} isCurrent={false} lastUpdate="now" actions={actions} />
    </ul>
  )
  openInput('title/c1', conversation.title)
  const view = render(renderRow('2023'))
  const getField = () => screen.getByLabelText<HTMLInputElement>('Title of the conversation')
  getField().focus()
  fireEvent.change(getField(), { target: { value: 'How long to boil an egg' } })
  getField().setSelectionRange(4, 8)
  view.rerender(renderRow('Today'))
  const { value, selectionStart, selectionEnd } = getField()
  expect([value, selectionStart, selectionEnd]).toEqual(['How long to boil an egg', 4, 8])
  expect(document.activeElement).toBe(getField())
  fireEvent.keyDown(getField(), { key: 'Enter' })
  expect(onRename).toHaveBeenCalledExactlyOnceWith(conversation, 'How long to boil an egg')
  expect(screen.queryByLabelText('Title of the conversation')).toBeNull()
})

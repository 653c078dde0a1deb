import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { Session } from '#shared/contracts/messages.ts'
import type { ConversationActions } from './conversation-actions.ts'
import { ConversationRow } from './conversation-row.tsx'
import { openInput } from '../../lib/input/use-input.ts'

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
  onMove: vi.fn<() => void>(),
  onPrint: vi.fn<() => void>(),
  onExportWord: vi.fn<() => void>(),
}

const row = (
  <ConversationRow
    conversation={conversation}
    isCurrent={false}
    lastUpdate="now"
    isTabStop
    projectName={undefined}
    actions={actions}
  />
)

it('a title that is being typed goes with its row to another group, with the focus and the caret', () => {
  const renderRow = (group: string) => <ul key={group}>{row}</ul>
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

describe('when the field for the title closes', () => {
  const openField = () => {
    openInput('title/c1', conversation.title)
    render(
      <>
        <ul>{row}</ul>
        <input aria-label="Message" />
      </>,
    )
    const field = screen.getByLabelText('Title of the conversation')
    field.focus()
    return field
  }
  const waitForFrames = () =>
    new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))

  it('the menu of the row gets the focus, if nothing else has it', async () => {
    fireEvent.keyDown(openField(), { key: 'Escape' })
    const menu = screen.getByRole('button', { name: 'More for Boiling eggs' })
    await waitFor(() => expect(document.activeElement).toBe(menu))
  })

  it('the field that was pressed keeps the focus', async () => {
    openField()
    act(() => screen.getByLabelText('Message').focus())
    expect(screen.queryByLabelText('Title of the conversation')).toBeNull()
    await waitForFrames()
    expect(document.activeElement).toBe(screen.getByLabelText('Message'))
  })
})

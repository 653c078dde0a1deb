import { act, render, screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { Session } from '#shared/contracts/messages.ts'
import { ConversationGroups } from './conversation-groups.tsx'

const conversation = {
  id: 'a',
  user_id: 'u',
  title: 'Rome',
  created_at: '',
  updated_at: new Date(2026, 10, 25, 21, 5).toISOString(),
  message_count: 2,
}
const renderGroups = (conversations: readonly Session[]) =>
  render(
    <ConversationGroups
      conversations={conversations}
      currentId={null}
      projectNames={new Map()}
      isCompact={false}
      tabStopId={undefined}
      actions={{} as never}
    />,
  )

it('HIST-05 a list that stays open moves a conversation from Today to Yesterday at midnight', () => {
  vi.useFakeTimers()
  try {
    vi.setSystemTime(new Date(2026, 10, 25, 23, 59, 40))
    renderGroups([conversation])
    const today = screen.getByRole('region', { name: 'Today' })
    expect(within(today).getByText(/21:05/)).toBeDefined()

    act(() => void vi.advanceTimersByTime(30_000))
    const yesterday = screen.getByRole('region', { name: 'Yesterday' })
    expect(within(yesterday).getByText(/1 day ago/)).toBeDefined()
    expect(screen.queryByRole('region', { name: 'Today' })).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})

it('a group whose heading has blanks is named by it', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 25) })
  try {
    const conversations = [
      { ...conversation, id: 'a', updated_at: new Date(2026, 10, 21).toISOString() },
      { ...conversation, id: 'b', updated_at: new Date(2025, 10, 21).toISOString() },
    ]
    renderGroups(conversations)
    for (const name of ['Previous 7 days', 'November 2025']) {
      expect(screen.getByRole('region', { name })).toBeDefined()
      expect(screen.getByRole('list', { name })).toBeDefined()
    }
  } finally {
    vi.useRealTimers()
  }
})

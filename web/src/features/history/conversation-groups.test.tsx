import { act, render, screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ConversationGroups } from './conversation-groups.tsx'

it('HIST-05 a list that stays open moves a conversation from Today to Yesterday at midnight', () => {
  vi.useFakeTimers()
  try {
    vi.setSystemTime(new Date(2026, 10, 25, 23, 59, 40))
    const conversation = {
      id: 'a',
      user_id: 'u',
      title: 'Rome',
      created_at: '',
      updated_at: new Date(2026, 10, 25, 21, 5).toISOString(),
      message_count: 2,
    }
    render(
      <ConversationGroups
        conversations={[conversation]}
        currentId={null}
        projectNames={new Map()}
        actions={{} as never}
      />,
    )
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

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import type { Session } from '#shared/contracts/messages.ts'
import { projectsQuery } from '../../lib/queries/project-queries.ts'
import { useSendUpdate } from '../../lib/actions/use-send-update.ts'
import { MoveConversationDialog } from './move-conversation-dialog.tsx'

const conversation: Session = {
  id: 'c1',
  user_id: 'u1',
  title: 'Rome',
  message_count: 2,
  created_at: '2026-11-20T10:00:00Z',
  updated_at: '2026-11-20T10:00:00Z',
}

function RenameButton() {
  const sendUpdate = useSendUpdate()
  return <button onClick={() => void sendUpdate('c1', { title: 'Oslo' })}>Rename</button>
}

it('moves a conversation after its earlier changes are stored', async () => {
  const slow = Promise.withResolvers<void>()
  const bodies: unknown[] = []
  fakeApi({
    'sessions.update': async ({ body }) => {
      bodies.push(body)
      if (bodies.length === 1) await slow.promise
      return { success: true, session: { ...conversation, ...body } as Session }
    },
  })
  const client = new QueryClient()
  client.setQueryData(projectsQuery.queryKey, [
    { id: 'p1', name: 'Travel', created_at: '2026-11-20', updated_at: '2026-11-20' },
  ] as never)
  render(
    <MemoryRouter>
      <QueryClientProvider client={client}>
        <RenameButton />
        <MoveConversationDialog
          conversation={conversation}
          open
          onClose={() => undefined}
          findFocusTarget={() => null}
        />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  fireEvent.click(screen.getByText('Rename'))
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'p1' } })
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Move' })))
  expect(bodies).toEqual([{ title: 'Oslo' }])
  await act(async () => slow.resolve())
  await vi.waitFor(() => expect(bodies).toEqual([{ title: 'Oslo' }, { project_id: 'p1' }]))
})

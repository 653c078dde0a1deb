import { QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from '../../../../../test/support/memory-router.tsx'
import { beforeEach, expect, it, vi } from 'vitest'
import type { ToolCall } from '#shared/contracts/chat.ts'
import type { Memory } from '#shared/contracts/memory.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { NetworkError } from '../../../lib/api/api-errors.ts'
import { type RouteHandlers, fakeApi } from '../../../../../test/support/fake-api.ts'
import { memoriesQuery } from '../../../lib/queries/memory-queries.ts'
import { createQueryClient } from '../../../lib/actions/query-client.ts'
import { notifyToolResults } from '../calls/notify-tool-results.ts'
import { LiveToolCallList, ToolCallList } from './tool-call-list.tsx'

vi.mock('../../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const memory: Memory = {
  id: 'aaaaaaaa',
  text: 'Lives in Oslo',
  version: 1,
  created_at: '2026-11-20T09:00:00Z',
}
const call = (tool: string, data: object, changes: Partial<ToolCall> = {}): ToolCall => ({
  tool,
  action: tool,
  parameters: {},
  result: { success: true, data },
  ...changes,
})
const change = { id: 'aaaaaaaa', text: 'Lives in Oslo' }

let memories: Memory[]
let handlers: RouteHandlers
let api: ReturnType<typeof fakeApi>
beforeEach(() => {
  vi.mocked(showToast).mockReset()
  memories = [memory]
  handlers = {
    'memory.list': () => ({ memories }),
    'memory.delete': () => {
      memories = []
      return { success: true }
    },
    'memory.add': () => {
      memories = [memory]
      return { memory }
    },
  }
})

const renderList = (list: React.ReactNode) => {
  api = fakeApi(handlers)
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter>{list}</MemoryRouter>
    </QueryClientProvider>,
  )
}
const clickUndo = async () => {
  const button = await screen.findByRole('button', { name: 'Undo: Lives in Oslo' })
  await act(async () => fireEvent.click(button))
}

it('DEC-177 shows what a reply remembered, with Undo', async () => {
  renderList(<ToolCallList calls={[call('remember', change)]} />)
  expect(await screen.findByText('Remembered:')).toBeTruthy()
  await clickUndo()
  expect(await screen.findByText('Remembered, then deleted:')).toBeTruthy()
  expect(api.requestsTo('memory.delete')).toEqual([{ params: { memoryId: 'aaaaaaaa' } }])
  expect(screen.queryByRole('button')).toBeNull()
})

it('Undo keeps the focus while it is done, and is done once', async () => {
  const response = Promise.withResolvers<{ success: true }>()
  handlers['memory.delete'] = () => response.promise
  renderList(<ToolCallList calls={[call('remember', change)]} />)
  await clickUndo()
  const button = await screen.findByRole('button', { name: 'Undo: Lives in Oslo' })
  expect([button.ariaDisabled, button.matches(':disabled')]).toEqual(['true', false])
  await clickUndo()
  expect(api.requestsTo('memory.delete')).toHaveLength(1)
  memories = []
  await act(async () => response.resolve({ success: true }))
  expect(await screen.findByText('Remembered, then deleted:')).toBeTruthy()
})

it('DEC-177 shows what a reply forgot, also while it streams', async () => {
  memories = []
  const liveCall = { id: 'c1', name: 'forget', input: {}, status: 'done', output: change } as const
  renderList(<LiveToolCallList calls={[liveCall]} />)
  expect(await screen.findByText('Forgotten:')).toBeTruthy()
  await clickUndo()
  expect(await screen.findByText('Forgotten, then restored:')).toBeTruthy()
  expect(api.requestsTo('memory.add')).toEqual([{ body: change }])
})

it('shows the current text of an edited memory, and keeps it if Undo fails', async () => {
  memories = [{ ...memory, text: 'Lives in Bergen', version: 2 }]
  handlers['memory.delete'] = () => {
    throw new NetworkError()
  }
  renderList(<ToolCallList calls={[call('remember', change)]} />)
  const button = await screen.findByRole('button', { name: 'Undo: Lives in Bergen' })
  await act(async () => fireEvent.click(button))
  await waitFor(() => expect(vi.mocked(showToast).mock.lastCall?.[1]).toBe('The memory was not changed'))
  expect(screen.getByRole('button', { name: 'Undo: Lives in Bergen' })).toBeTruthy()
})

it('known memories have no Undo; tools of servers and failed calls get an ordinary line', async () => {
  renderList(
    <ToolCallList
      calls={[
        call('remember', { text: 'Has two cats', wasKnown: true }),
        call('remember', change, { integration: 'Eve' }),
        { ...call('remember', {}), result: { success: false, error: 'The memory is full.' } },
      ]}
    />,
  )
  expect(await screen.findByText('Already remembered:')).toBeTruthy()
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Eve · Remember',
    'Remember · The memory is full.',
  ])
  expect(api.requestsTo('memory.list')).toEqual([])
})

it.each(['the first list', 'a later list'])(
  'does not say that a memory is deleted because %s is older than the reply',
  async (list) => {
    const olderList = Promise.withResolvers<{ memories: Memory[] }>()
    const queryClient = createQueryClient()
    if (list === 'a later list') queryClient.setQueryData(memoriesQuery.queryKey, [memory])
    handlers['memory.list'] = () => olderList.promise
    api = fakeApi(handlers)
    const renderCalls = (...calls: ToolCall[]) => (
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          {calls.map((one, index) => (
            <ToolCallList key={index} calls={[one]} />
          ))}
        </MemoryRouter>
      </QueryClientProvider>
    )
    const { rerender } = render(renderCalls(call('remember', change)))
    await waitFor(() => expect(api.requestsTo('memory.list')).toHaveLength(1))
    memories = [memory, { ...memory, id: 'bbbbbbbb', text: 'Likes liver' }]
    handlers['memory.list'] = () => ({ memories })
    rerender(renderCalls(call('remember', change), call('remember', { id: 'bbbbbbbb', text: 'Likes liver' })))
    olderList.resolve({ memories: [memory] })
    expect(await screen.findByRole('button', { name: 'Undo: Likes liver' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Undo: Lives in Oslo' })).toBeTruthy()
  },
)

it('shows no toast for a change of memories', () => {
  notifyToolResults([{ id: 'c1', name: 'remember', input: {}, status: 'done', output: change }])
  expect(showToast).not.toHaveBeenCalled()
})

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { AccountRead } from '#shared/contracts/account.ts'
import type { Memory } from '#shared/contracts/memory.ts'
import { showToast } from '../../components/ui/toast.ts'
import { accountQuery } from '../../lib/account/account-queries.ts'
import { ApiError, NetworkError } from '../../lib/api/api-errors.ts'
import { type RouteHandlers, fakeApi } from '../../../../test/support/fake-api.ts'
import { MemoryCard } from './memory-card.tsx'
import { isLeaveGuarded } from '../../lib/input/leave-guard.ts'
import { closeUserResources } from '../../lib/actions/user-resources.ts'

vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const oslo: Memory = { id: 'aaaaaaaa', text: 'Lives in Oslo', version: 1, created_at: '2026-11-20T09:00:00Z' }
const cats: Memory = { id: 'bbbbbbbb', text: 'Has two cats', version: 3, created_at: '2026-11-21T09:00:00Z' }
const settings = { keep_conversations: true, store_uploads: true, theme: null }

/** The memories that the server has stored. */
let storedMemories: Memory[]
let handlers: RouteHandlers
let api: ReturnType<typeof fakeApi>

beforeEach(() => {
  vi.mocked(showToast).mockReset()
  storedMemories = [oslo, cats]
  handlers = {
    'memory.list': () => ({ memories: storedMemories }),
    'memory.add': ({ body: { id = `cccccc${10 + storedMemories.length}`, text } }) => {
      const memory = { id, text, version: 1, created_at: '2026-11-22T09:00:00Z' }
      storedMemories = [...storedMemories, memory]
      return { memory }
    },
    'memory.update': ({ params, body: { text, version } }) => {
      const memory = { ...oslo, id: params.memoryId, text, version: version + 1 }
      storedMemories = storedMemories.map((existing) => (existing.id === memory.id ? memory : existing))
      return { memory }
    },
    'memory.delete': ({ params }) => {
      storedMemories = storedMemories.filter(({ id }) => id !== params.memoryId)
      return { success: true }
    },
    'memory.clear': () => {
      storedMemories = []
      return { success: true }
    },
  }
})

const open = (
  changes: { memory?: boolean; keep_conversations?: boolean } = {},
  limits: AccountRead['limits'] = {},
) => {
  api = fakeApi(handlers)
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const profile = { display_name: 'Ann', avatar_id: null }
  client.setQueryData(accountQuery.queryKey, { profile, settings: { ...settings, ...changes }, limits })
  const view = render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <MemoryCard settings={{ ...settings, ...changes }} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  return { client, ...view }
}
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const getRowTexts = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)
const failWith = (code: string, status: number) => () => {
  throw new ApiError({ status, code, userMessage: 'No.' })
}

it('DEC-177 is off by default, explains its effect, and can be switched on', async () => {
  handlers['account.settings'] = ({ body }) => ({
    profile: { display_name: '', avatar_id: null },
    settings: { ...settings, ...(body.memory !== undefined && { memory: body.memory }) },
  })
  storedMemories = []
  open()
  expect(screen.getByRole('progressbar', { name: 'Loading the memory' })).toBeTruthy()
  await screen.findByText('Nothing yet.')
  const toggle = screen.getByRole('switch', { name: 'Remember facts about me' })
  expect(toggle.getAttribute('aria-checked')).toBe('false')
  screen.getByText(/the list below stays and is not used/)
  await act(async () => fireEvent.click(toggle))
  expect(api.requestsTo('account.settings')).toEqual([{ body: { memory: true } }])
})

it('says that it is not used while all chats are temporary', async () => {
  open({ memory: true, keep_conversations: false })
  expect(await screen.findByText(/All your chats are temporary/)).toBeTruthy()
})

it('says that loading failed, and offers to try again', async () => {
  handlers['memory.list'] = () => {
    throw new NetworkError()
  }
  open()
  await screen.findByText(/could not be loaded/)
  handlers['memory.list'] = () => ({ memories: [oslo] })
  await press('Try again')
  expect(await screen.findByText('Lives in Oslo')).toBeTruthy()
})

it('adds a memory with Enter, and keeps the text in the field if that fails', async () => {
  open({ memory: true })
  await screen.findByText('2 of 100')
  const label = 'Add a memory'
  type(label, 'Drinks tea')
  expect(isLeaveGuarded()).toBe(true)
  const add = handlers['memory.add']
  handlers['memory.add'] = failWith('too_many_memories', 409)
  await press('Add')
  expect(await screen.findByText('No.')).toBeTruthy()
  expect(screen.getByLabelText<HTMLTextAreaElement>(label).value).toBe('Drinks tea')
  if (add) handlers['memory.add'] = add
  await act(async () => fireEvent.keyDown(screen.getByLabelText(label), { key: 'Enter' }))
  expect(await screen.findByText('Drinks tea')).toBeTruthy()
  expect(screen.getByLabelText<HTMLTextAreaElement>(label).value).toBe('')
  expect(isLeaveGuarded()).toBe(false)
})

describe('what is entered while another text is saved', () => {
  /** Holds the responses of a route. @returns lets them go, in order */
  const hold = (name: 'memory.add' | 'memory.update') => {
    const answer = handlers[name] as (call: unknown) => unknown
    const { promise, resolve } = Promise.withResolvers<void>()
    handlers[name] = (async (call: unknown) => {
      await promise
      return answer(call)
    }) as never
    return () => act(async () => resolve())
  }
  const enter = (label: string, text: string) => {
    type(label, text)
    return act(async () => fireEvent.keyDown(screen.getByLabelText(label), { key: 'Enter' }))
  }
  const add = 'Add a memory'
  const edit = 'Edit the memory'
  const getAdded = () => api.requestsTo('memory.add').map(({ body }) => body?.text)

  it('is saved after it, each text once', async () => {
    const release = hold('memory.add')
    open({ memory: true })
    await screen.findByText('2 of 100')
    for (const text of ['Drinks tea', 'Drinks tea', 'Has a boat', 'Likes jazz']) await enter(add, text)
    expect(getAdded()).toEqual(['Drinks tea'])
    type(add, 'Plays')
    await release()
    await waitFor(() => expect(getAdded()).toEqual(['Drinks tea', 'Has a boat', 'Likes jazz']))
    await screen.findByText('Likes jazz')
    expect(screen.getByLabelText<HTMLTextAreaElement>(add).value).toBe('Plays')
  })

  it('is saved once, although Enter is pressed again while it waits', async () => {
    const release = hold('memory.add')
    open({ memory: true })
    await screen.findByText('2 of 100')
    for (const text of ['Drinks tea', 'Has a boat', 'Has a boat']) await enter(add, text)
    await release()
    await screen.findByText('Has a boat')
    expect(getAdded()).toEqual(['Drinks tea', 'Has a boat'])
  })

  it('is saved although that fails, and the other text is told', async () => {
    const answer = handlers['memory.add']
    let failures = 0
    handlers['memory.add'] = (call) => {
      failures += 1
      if (failures === 1) throw new NetworkError()
      return answer?.(call) as never
    }
    const release = hold('memory.add')
    open({ memory: true })
    await screen.findByText('2 of 100')
    for (const text of ['Drinks tea', 'Has a boat']) await enter(add, text)
    await release()
    await screen.findByText('Has a boat')
    const [kind, title, options] = vi.mocked(showToast).mock.lastCall ?? []
    expect([kind, title]).toEqual(['error', 'The memory was not added'])
    expect(options).toMatchObject({ description: 'Drinks tea', error: expect.any(NetworkError) })
    expect(screen.getByLabelText<HTMLTextAreaElement>(add).value).toBe('')
  })

  it('replaces it where it is edited, and not what was changed elsewhere meanwhile', async () => {
    const release = hold('memory.update')
    open({ memory: true })
    await screen.findByText('Lives in Oslo')
    await press('Edit: Lives in Oslo')
    for (const text of ['Lives in Bergen', 'Lives in Turku']) await enter(edit, text)
    await release()
    await waitFor(() => expect(getRowTexts()[0]).toContain('Lives in Turku'))
    const sent = () => api.requestsTo('memory.update').map(({ body }) => [body?.text, body?.version])
    expect(sent()).toEqual([
      ['Lives in Bergen', 1],
      ['Lives in Turku', 2],
    ])
    handlers['memory.update'] = failWith('memory_changed', 409)
    const releaseConflict = hold('memory.update')
    await press('Edit: Has two cats')
    for (const text of ['Has a cat', 'Has no cat']) await enter(edit, text)
    storedMemories = storedMemories.map((one) => (one.id === cats.id ? { ...cats, text: 'Has a dog' } : one))
    await releaseConflict()
    await screen.findByText(/changed elsewhere to “Has a dog”/)
    expect(sent().slice(2)).toEqual([['Has a cat', 3]])
    expect(screen.getByLabelText<HTMLTextAreaElement>(edit).value).toBe('Has no cat')
  })
})

it('edits in place, and shows a change from elsewhere before it replaces it', async () => {
  open({ memory: true })
  await screen.findByText('Lives in Oslo')
  await press('Edit: Lives in Oslo')
  const field = screen.getByLabelText('Edit the memory')
  expect(document.activeElement).toBe(field)
  type('Edit the memory', 'Lives in Bergen')
  const update = handlers['memory.update']
  handlers['memory.update'] = failWith('memory_changed', 409)
  storedMemories = [{ ...oslo, text: 'Lives in Rome', version: 2 }, cats]
  await press('Save')
  expect(await screen.findByText(/changed elsewhere to “Lives in Rome”/)).toBeTruthy()
  expect(screen.getByLabelText<HTMLTextAreaElement>('Edit the memory').value).toBe('Lives in Bergen')
  if (update) handlers['memory.update'] = update
  await press('Save')
  await waitFor(() => expect(getRowTexts()[0]).toContain('Lives in Bergen'))
  expect(api.requestsTo('memory.update').at(-1)).toEqual({
    params: { memoryId: 'aaaaaaaa' },
    body: { text: 'Lives in Bergen', version: 2 },
  })
  expect(isLeaveGuarded()).toBe(false)
})

it('a change from elsewhere shows as it is, although an older list is being loaded', async () => {
  const { client } = open({ memory: true })
  await screen.findByText('Lives in Oslo')
  await press('Edit: Lives in Oslo')
  type('Edit the memory', 'Lives in Bergen')
  const list = handlers['memory.list']
  const older = Promise.withResolvers<{ memories: Memory[] }>()
  handlers['memory.list'] = () => older.promise
  void client.refetchQueries()
  await waitFor(() => expect(api.requestsTo('memory.list')).toHaveLength(2))
  storedMemories = [{ ...oslo, text: 'Lives in Rome', version: 2 }, cats]
  Object.assign(handlers, { 'memory.list': list, 'memory.update': failWith('memory_changed', 409) })
  await press('Save')
  older.resolve({ memories: [oslo, cats] })
  expect(await screen.findByText(/changed elsewhere to “Lives in Rome”/)).toBeTruthy()
})

it('edits several at a time: opening one leaves what is typed in another, which leaving asks about', async () => {
  open({ memory: true })
  await screen.findByText('Lives in Oslo')
  const getTexts = () =>
    screen.getAllByLabelText<HTMLTextAreaElement>('Edit the memory').map(({ value }) => value)
  await press('Edit: Lives in Oslo')
  type('Edit the memory', 'Lives in Oslo, by the sea')
  await press('Edit: Has two cats')
  expect(getTexts()).toEqual(['Lives in Oslo, by the sea', 'Has two cats'])
  expect(isLeaveGuarded()).toBe(true)
  for (const button of screen.getAllByRole('button', { name: 'Cancel' })) fireEvent.click(button)
  expect(isLeaveGuarded()).toBe(false)
})

it('adds a memory back that was deleted elsewhere while it was edited; Escape cancels editing', async () => {
  open({ memory: true })
  await screen.findByText('Lives in Oslo')
  await press('Edit: Has two cats')
  fireEvent.keyDown(screen.getByLabelText('Edit the memory'), { key: 'Escape' })
  await press('Edit: Lives in Oslo')
  type('Edit the memory', 'Lives in Bergen')
  handlers['memory.update'] = failWith('memory_not_found', 404)
  storedMemories = [cats]
  await press('Save')
  expect(await screen.findByText(/deleted elsewhere/)).toBeTruthy()
  await press('Save')
  await waitFor(() => expect(getRowTexts().join()).toContain('Lives in Bergen'))
  expect(api.requestsTo('memory.add')).toEqual([{ body: { id: 'aaaaaaaa', text: 'Lives in Bergen' } }])
})

it('deletes a memory; Undo restores it with its id', async () => {
  open({ memory: true })
  await screen.findByText('Lives in Oslo')
  screen.getByRole('button', { name: 'Delete: Lives in Oslo' }).focus()
  await press('Delete: Lives in Oslo')
  await waitFor(() => expect(getRowTexts()).toHaveLength(1))
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete: Has two cats' })),
  )
  const [kind, title, options] = vi.mocked(showToast).mock.lastCall ?? []
  expect([kind, title, options?.description, options?.action?.label]).toEqual([
    'info',
    'Memory deleted',
    'Lives in Oslo',
    'Undo',
  ])
  await act(async () => options?.action?.onClick())
  await waitFor(() => expect(getRowTexts()).toHaveLength(2))
  expect(api.requestsTo('memory.add')).toEqual([{ body: { id: 'aaaaaaaa', text: 'Lives in Oslo' } }])
})

it('a deletion that ends while the user is typing does not take the focus from the field', async () => {
  const deletion = Promise.withResolvers<void>()
  handlers['memory.delete'] = async ({ params }) => {
    await deletion.promise
    storedMemories = storedMemories.filter(({ id }) => id !== params.memoryId)
    return { success: true }
  }
  open()
  await screen.findByText('Lives in Oslo')
  await press('Delete: Lives in Oslo')
  const field = screen.getByLabelText('Add a memory')
  field.focus()
  await act(async () => deletion.resolve())
  await waitFor(() => expect(showToast).toHaveBeenCalled())
  expect(screen.queryByText('Lives in Oslo')).toBeNull()
  expect(document.activeElement).toBe(field)
})

it('the focus goes to the field of the next memory, if that is being edited', async () => {
  open({ memory: true })
  await screen.findByText('Has two cats')
  await press('Edit: Has two cats')
  const button = screen.getByRole('button', { name: 'Delete: Lives in Oslo' })
  // a press gives the button the focus
  button.focus()
  await press('Delete: Lives in Oslo')
  await waitFor(() => expect(screen.queryByText('Lives in Oslo')).toBeNull())
  expect(document.activeElement).toBe(screen.getByLabelText('Edit the memory'))
})

it('keeps a memory that could not be deleted', async () => {
  handlers['memory.delete'] = () => {
    throw new NetworkError()
  }
  open({ memory: true })
  await screen.findByText('Lives in Oslo')
  await press('Delete: Lives in Oslo')
  await waitFor(() =>
    expect(vi.mocked(showToast).mock.lastCall?.slice(0, 2)).toEqual(['error', 'The memory was not deleted']),
  )
  expect(getRowTexts()).toHaveLength(2)
})

it('deletes all memories after a confirmation', async () => {
  open({ memory: true })
  await screen.findByText('Lives in Oslo')
  await press('Delete all')
  expect(api.requestsTo('memory.clear')).toEqual([])
  const dialog = within(screen.getByRole('dialog', { name: 'Delete all 2 memories?' }))
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Delete all' })))
  expect(await screen.findByText(/Tell Juno in a chat to remember something/)).toBeTruthy()
})

it('says “Delete”, not “Delete all”, for the only memory', async () => {
  storedMemories = [oslo]
  open({ memory: true })
  await screen.findByText('Lives in Oslo')
  await press('Delete all')
  const dialog = within(screen.getByRole('dialog', { name: 'Delete this memory?' }))
  expect(dialog.getByRole('button', { name: 'Delete' })).toBeTruthy()
})

it('a user whose group may not use memory can read and delete it only', async () => {
  open({ memory: true }, { memory: false })
  await screen.findByText(oslo.text)
  screen.getByText(/^Your group may not use memory/)
  const toggle = screen.getByRole<HTMLButtonElement>('switch', { name: 'Remember facts about me' })
  expect([toggle.disabled, toggle.getAttribute('aria-checked')]).toEqual([true, 'false'])
  expect(screen.getAllByRole('button').map(({ textContent, ariaLabel }) => ariaLabel ?? textContent)).toEqual(
    ['Delete all', expect.stringMatching(/^Delete: /), expect.stringMatching(/^Delete: /)],
  )
})

describe('after its user has signed out', () => {
  it('no toast names a memory whose deletion is answered late', async () => {
    const deletion = Promise.withResolvers<{ success: true }>()
    handlers['memory.delete'] = () => deletion.promise
    const { client } = open({ memory: true })
    await screen.findByText('Lives in Oslo')
    await press('Delete: Lives in Oslo')
    closeUserResources(client)
    await act(async () => deletion.resolve({ success: true }))
    expect(vi.mocked(showToast)).not.toHaveBeenCalled()
  })

  it('no toast names a memory that could not be restored', async () => {
    const restoring = Promise.withResolvers<never>()
    handlers['memory.add'] = () => restoring.promise
    const { client } = open({ memory: true })
    await screen.findByText('Lives in Oslo')
    await press('Delete: Lives in Oslo')
    await waitFor(() => expect(vi.mocked(showToast)).toHaveBeenCalledOnce())
    const [, , options] = vi.mocked(showToast).mock.lastCall ?? []
    await act(async () => options?.action?.onClick())
    closeUserResources(client)
    await act(async () => restoring.reject(new NetworkError()))
    expect(vi.mocked(showToast)).toHaveBeenCalledOnce()
  })

  it('no toast names a memory that could not be added', async () => {
    const adding = Promise.withResolvers<never>()
    handlers['memory.add'] = () => adding.promise
    const { client } = open({ memory: true })
    await screen.findByText('Lives in Oslo')
    type('Add a memory', 'Plays chess')
    await press('Add')
    // the field has another text, so that a toast would show the first one
    type('Add a memory', 'Plays go')
    closeUserResources(client)
    await act(async () => adding.reject(new NetworkError()))
    expect(vi.mocked(showToast)).not.toHaveBeenCalled()
  })
})

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { createActions } from '../../lib/actions/actions.ts'
import { deletionKey } from '../../lib/actions/running-actions.ts'
import { getUserResource } from '../../lib/actions/user-resources.ts'
import { createSearchIndex } from './search-index.ts'
import { SearchDialog } from './search-dialog.tsx'
import type { SearchService } from './search-service.ts'

const onClose = vi.fn<() => void>()
const onOpenConversation = vi.fn<(id: string, messageId?: string) => void>()
const onSelect = vi.fn<() => void>()
const refresh = vi.fn<SearchService['refresh']>()
const corpus = createSearchIndex()
corpus.ingest({
  sessions: [
    { id: 'a', title: 'Rome', updated_at: '2026-11-02T09:00:00Z' },
    { id: 'b', title: 'Paris', updated_at: '2026-11-03T09:00:00Z' },
  ],
  changed: ['a', 'b'],
  messages: [{ id: 'm', session_id: 'b', content: 'The ferry to Capri' }],
})
const service: SearchService = {
  refresh,
  search: async (query, limit) => corpus.search(query, limit),
  close: () => undefined,
}
const getService = () => service

let client: QueryClient
beforeEach(() => {
  client = new QueryClient()
  for (const mock of [onClose, onOpenConversation, onSelect]) mock.mockReset()
  refresh.mockReset().mockResolvedValue(undefined)
})

async function open() {
  await act(async () => {
    render(
      <QueryClientProvider client={client}>
        <SearchDialog
          onClose={onClose}
          onOpenConversation={onOpenConversation}
          getService={getService}
          projectNames={new Map()}
          readEarlyInput={() => undefined}
          destinations={[
            { label: 'Start Fresh Chat', icon: null, onSelect },
            { label: 'Café plans', note: 'Project', icon: null, isOnlyFound: true, onSelect },
          ]}
        />
      </QueryClientProvider>,
    )
  })
  return screen.getByRole('combobox')
}
const getOptionTexts = () =>
  screen.queryAllByRole('option').map(({ textContent }) => textContent?.replace(/ ?\d.*$/, ''))
const type = (field: HTMLElement, value: string) =>
  act(async () => fireEvent.change(field, { target: { value } }))

it('shows the destinations and the newest conversations first, then the matches of the query', async () => {
  const field = await open()
  expect(getOptionTexts()).toEqual(['Start Fresh Chat', 'Paris', 'Rome'])
  // formatted as in the list of conversations
  expect(screen.getByRole('option', { name: /^Paris/ }).textContent).toMatch(/^Paris(\d+ \w+ ago|\d\d:\d\d)$/)
  await type(field, 'capri FERRY')
  expect(getOptionTexts()).toEqual([expect.stringMatching(/^ParisThe ferry to Capri/)])
  expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual([
    'ferry',
    'Capri',
  ])
  await type(field, 'fresh')
  expect(getOptionTexts()).toEqual(['Start Fresh Chat'])
  await type(field, 'nowhere')
  expect(screen.getByRole('status').textContent).toBe('Nothing found for “nowhere”.')
})

it('can be used by keyboard: arrow keys wrap around, Enter opens', async () => {
  const field = await open()
  fireEvent.keyDown(field, { key: 'ArrowUp' })
  expect(screen.getByRole('option', { selected: true }).textContent).toMatch(/^Rome/)
  expect(field.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { selected: true }).id)
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(onOpenConversation).toHaveBeenCalledWith('a', undefined)
  expect(onClose).toHaveBeenCalledOnce()
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(onSelect).toHaveBeenCalledOnce()
})

it('can be used by pointer', async () => {
  await open()
  fireEvent.click(screen.getByRole('option', { name: /^Paris/ }))
  expect(onOpenConversation).toHaveBeenCalledWith('b', undefined)
})

it('says when the conversations could not be loaded, and offers to retry', async () => {
  refresh.mockRejectedValueOnce(new Error('down'))
  await open()
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try again' })))
  expect(refresh).toHaveBeenCalledTimes(2)
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

it('says that the search failed instead of that nothing was found', async () => {
  const searchSpy = vi.spyOn(service, 'search').mockRejectedValue(new Error('the worker does not run'))
  const field = await open()
  await type(field, 'nowhere')
  expect(screen.getByText(/could not be loaded/)).toBeTruthy()
  expect(screen.queryByText(/Nothing found/)).toBeNull()
  searchSpy.mockRestore()
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try again' })))
  expect(screen.getByText('Nothing found for “nowhere”.')).toBeTruthy()
})

it('does not say that nothing was found before the search has finished', async () => {
  const field = await open()
  await type(field, 'nowhere')
  const searchSpy = vi.spyOn(service, 'search').mockReturnValue(new Promise(() => undefined))
  await type(field, 'Rom')
  expect(screen.queryByText(/Nothing found/)).toBeNull()
  searchSpy.mockRestore()
})

it('does not say that nothing was found until the loaded conversations are searched', async () => {
  const loading = Promise.withResolvers<undefined>()
  refresh.mockReturnValue(loading.promise)
  const searchSpy = vi.spyOn(service, 'search').mockResolvedValue({ hits: [], total: 0 })
  const field = await open()
  await type(field, 'capri')
  const found = Promise.withResolvers<ReturnType<typeof corpus.search>>()
  searchSpy.mockReturnValue(found.promise)
  await act(async () => loading.resolve(undefined))
  expect(screen.queryByText(/Nothing found/)).toBeNull()
  await act(async () => found.resolve(corpus.search('capri', 30)))
  expect(getOptionTexts()).toEqual([expect.stringMatching(/^Paris/)])
  searchSpy.mockRestore()
})

it('the field keeps the focus when more is requested by pointer', async () => {
  await open()
  expect(fireEvent.mouseDown(screen.getByRole('option', { name: /Rome/ }))).toBe(false)
})

it('lists pages first as long as a typed query has no results of its own', async () => {
  const field = await open()
  const searchSpy = vi.spyOn(service, 'search').mockReturnValue(new Promise(() => undefined))
  await type(field, 'fresh')
  expect(getOptionTexts()).toEqual(['Start Fresh Chat', 'Paris', 'Rome'])
  searchSpy.mockRestore()
})

it('Enter opens a match of the current query, even if it was pressed before the search finished', async () => {
  const field = await open()
  await type(field, 'Rome')
  const searchDelay = Promise.withResolvers<undefined>()
  const searchSpy = vi
    .spyOn(service, 'search')
    .mockImplementation(async (query) => searchDelay.promise.then(() => corpus.search(query, 30)))
  await type(field, 'Paris')
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(onOpenConversation).not.toHaveBeenCalled()
  await act(async () => searchDelay.resolve(undefined))
  expect(onOpenConversation.mock.calls).toEqual([['b', undefined]])
  searchSpy.mockRestore()
})

it('finds and marks archived conversations', async () => {
  const index = createSearchIndex()
  index.ingest({
    sessions: [
      { id: 'a', title: 'Rome by train', updated_at: '2026-11-02T09:00:00Z', archived: true },
      { id: 'b', title: 'Rome by bus', updated_at: '2026-11-03T09:00:00Z' },
    ],
    changed: null,
    messages: [],
  })
  const searchSpy = vi.spyOn(service, 'search').mockImplementation(async (query) => index.search(query, 30))
  const field = await open()
  await type(field, 'Rome')
  const archivedMarks = screen
    .getAllByRole('option')
    .map(({ textContent }) => textContent?.includes('Archived'))
  expect(archivedMarks).toEqual([false, true])
  searchSpy.mockRestore()
})

it('opens the conversation at the matching message', async () => {
  const field = await open()
  await type(field, 'ferry')
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(onOpenConversation).toHaveBeenCalledWith('b', 'm')
})

it('finds destinations as people write them, after titles and before what messages say', async () => {
  const index = createSearchIndex()
  index.ingest({
    sessions: [
      { id: 'a', title: 'Talk', updated_at: '2026-11-02T09:00:00Z' },
      { id: 'b', title: 'Cafe prices', updated_at: '2026-11-01T09:00:00Z' },
    ],
    changed: null,
    messages: [{ id: 'm', session_id: 'a', content: 'At the café' }],
  })
  vi.spyOn(service, 'search').mockImplementation(async (query) => index.search(query, 30))
  const field = await open()
  expect(screen.queryByRole('option', { name: /Café/ })).toBeNull()
  await type(field, 'cafe')
  expect(getOptionTexts()).toEqual([
    expect.stringMatching(/^Cafe prices/),
    'Café plansProject',
    expect.stringMatching(/^TalkAt the café/),
  ])
  await type(field, 'Fresh start')
  expect(getOptionTexts()).toEqual(['Start Fresh Chat'])
})

it('reaches every result, by keyboard too', async () => {
  const index = createSearchIndex()
  const sessions = Array.from({ length: 72 }, (_, at) => ({
    id: `s${at}`,
    title: `Walrus ${at}`,
    updated_at: '2026-11-02T09:00:00Z',
  }))
  index.ingest({ sessions, changed: null, messages: [] })
  vi.spyOn(service, 'search').mockImplementation(async (query, limit) => index.search(query, limit))
  const field = await open()
  await type(field, 'walrus')
  expect(screen.getAllByRole('option')).toHaveLength(31)
  fireEvent.keyDown(field, { key: 'ArrowUp' })
  expect(screen.getByRole('option', { selected: true }).textContent).toBe('Show 42 more conversations')
  await act(async () => fireEvent.keyDown(field, { key: 'Enter' }))
  expect(onClose).not.toHaveBeenCalled()
  // the first of those that were added
  expect(screen.getByRole('option', { selected: true }).textContent).toMatch(/^Walrus 30/)
  await act(async () => fireEvent.click(screen.getByRole('option', { name: 'Show 12 more conversations' })))
  expect(screen.getAllByRole('option')).toHaveLength(72)
  await type(field, 'Walrus')
  expect(screen.getAllByRole('option')).toHaveLength(31)
})

it('does not find a conversation that is being deleted, until that is undone', async () => {
  const actions = getUserResource(client, createActions)
  const deletion = actions.postpone(deletionKey('b'), { run: async () => undefined, undo: () => undefined })
  const field = await open()
  expect(getOptionTexts()).toEqual(['Start Fresh Chat', 'Rome'])
  await type(field, 'capri')
  expect(getOptionTexts()).toEqual([])
  act(() => deletion.undo())
  expect(getOptionTexts()).toEqual([expect.stringMatching(/^Paris/)])
})

it('emptying the query opens nothing and begins no chat (danny-avila/LibreChat#9706)', async () => {
  const field = await open()
  await type(field, 'capri')
  await type(field, '')
  expect(getOptionTexts()).toEqual(['Start Fresh Chat', 'Paris', 'Rome'])
  for (const mock of [onClose, onOpenConversation, onSelect]) expect(mock).not.toHaveBeenCalled()
})

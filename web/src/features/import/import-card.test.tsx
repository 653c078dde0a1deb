import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { expect, it, vi } from 'vitest'
import { fakeApi, type RouteHandlers } from '../../../../test/support/fake-api.ts'
import type { AccountRead } from '#shared/contracts/account.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { accountQuery } from '../../lib/account/account-queries.ts'
import { ApiError } from '../../lib/api/api-errors.ts'
import { showToast } from '../../components/ui/toast.ts'
import { closeUserResources, getUserResource } from '../../lib/actions/user-resources.ts'
import { describeLeftOut } from './describe-left-out.ts'
import { ImportCard } from './import-card.tsx'
import { noCounts, type ImportCounts } from './import-counts.ts'
import { importsQuery } from './import-queries.ts'
import { createImportService, type ImportState } from './import-service.ts'
import type { LeftOut } from './left-out.ts'

vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

async function open(state: ImportState = { phase: 'idle' }, more: RouteHandlers = {}) {
  const api = fakeApi({ 'imports.list': () => ({ imports: [] }), ...more })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const uploadFile = async () => ({ id: 'f1' })
  const service = getUserResource(client, createImportService, {
    userId: 'u1',
    uploadFile,
    storage: {
      read: async () => undefined,
      begin: async () => {},
      saveProgress: async () => {},
      remove: async () => {},
      runInOneTab: async (run) => run().then(() => true),
    },
  })
  service.store.setState(state)
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <ImportCard userId="u1" uploadFile={uploadFile} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  await act(async () => {})
  return { api, client, service }
}
const ended = (counts: Partial<ImportCounts>, more: Partial<Extract<ImportState, { phase: 'ended' }>> = {}) =>
  open({
    phase: 'ended',
    importId: 'i1',
    isCancelled: false,
    leftOut: {},
    counts: { ...noCounts, ...counts },
    ...more,
  })
const end = { name: /^(?:Import finished|The import was cancelled\.|The import stopped\.)$/ }
const status = () => screen.getByRole('region', end).textContent
const stays = 'Choose the same files again to go on: what is here already is not imported twice.'
const found =
  'You find them in your conversations by their own dates, archived ones under “Archived”, and all with the search.'

it('says what to choose, and that a group gets no files', async () => {
  const { client } = await open()
  screen.getByText(
    'Bring your history from ChatGPT, Claude, LibreChat, Open WebUI or another Juno: choose the files that you get there with “Export data” or “Export”, all of them together.',
  )
  screen.getByText('or drop them here, or their folder')
  const text = 'Your group may not add files, so conversations are imported without theirs.'
  expect(screen.queryByText(text)).toBeNull()
  act(() => void client.setQueryData(accountQuery.queryKey, { limits: { upload: false } } as AccountRead))
  await screen.findByText(text)
})

it.each([
  [false, 'Keep this tab open. You can go on using it, and a reload goes on from here.'],
  [true, 'Waiting for the service. The import continues by itself.'],
])('says how far it is, and whether it waits: %s', async (isWaiting, text) => {
  const counts = { ...noCounts, imported: 1, messages: 2, files: 1 }
  await open({ phase: 'running', share: 0.42, isWaiting, counts })
  expect(screen.getByRole('progressbar', { name: 'Progress of the import' }).ariaValueNow).toBe('42')
  screen.getByText('1 conversation, 2 messages, 1 file')
  expect(screen.getByText(text).role).toBe('status')
  expect(screen.queryByRole('button', { name: 'Choose files' })).toBeNull()
})

it('says what was imported, and what follows from it', async () => {
  await ended({ imported: 2, messages: 5, projects: 1, prompts: 2, memories: 1, hasInstructions: true })
  expect(status()).toBe(
    `Import finished2 conversations, 5 messages, 0 files1 project, 2 saved prompts, 1 memory, custom instructionsAll replies follow these instructions and memories: look at them further down, if the file is not your own.${found}`,
  )
  expect(screen.queryByText(stays)).toBeNull()
})

it.each([
  [{ extended: 1 }, `1 conversation of an earlier import got its new messages.${found}`],
  [{ extended: 2 }, `2 conversations of an earlier import got their new messages.${found}`],
  [{ existing: 1 }, '1 conversation is here already and stays as it is.'],
  [{ existing: 2 }, '2 conversations are here already and stay as they are.'],
])('says what was here before: %j, and offers nothing to undo', async (counts, text) => {
  await ended(counts)
  expect(status()).toBe(`Import finished0 conversations, 0 messages, 0 files${text}`)
  expect(screen.queryByRole('button', { name: 'Undo import' })).toBeNull()
})

it('says that it was cancelled, or stopped, and how to go on', async () => {
  const { service } = await ended({ imported: 1 }, { isCancelled: true })
  expect(status()).toContain('The import was cancelled.')
  screen.getByText(stays)
  const state = service.store.getState() as Extract<ImportState, { phase: 'ended' }>
  act(() => service.store.setState({ ...state, isCancelled: false, problem: 'The disk is full.' }))
  expect(screen.getByRole('alert').textContent).toBe('The disk is full.')
  expect(status()).toMatch(/^The import stopped\.1 conversation/)
  screen.getByText(stays)
  // nothing was read of it: the problem says all
  act(() => service.store.setState({ ...state, isCancelled: false, problem: 'No export.', counts: noCounts }))
  expect(screen.getByText('No export.').textContent).toBe('No export.')
  expect(screen.queryByRole('region', end)).toBeNull()
  expect(screen.queryByText(stays)).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Import another file' }))
  screen.getByRole('button', { name: 'Choose files' })
})

const steps = {
  missingFiles:
    'Archives of one export belong together: choose all of them, and not a file of one, to get the files, too.',
  refusedFiles:
    'Make room under “Your files”, or come back tomorrow, undo this import and choose the archive again.',
  failedConversations: 'Choose the same files again later.',
  busyConversations: 'Choose the same files again when the reply is there.',
  projectPlaces: 'Create a project, and move the conversations into it from their menus.',
  sourceMemories: 'Open memories.json with an editor, and copy what matters to Settings, Memory.',
} satisfies Partial<Record<keyof LeftOut, string>>
const kinds = [
  ['unreadableConversations', 'Conversations that could not be read: 3'],
  ['failedConversations', 'Conversations that the service could not store: 3'],
  ['emptyConversations', 'Conversations without messages: 3'],
  ['busyConversations', 'Conversations in which a reply was being written: 3'],
  ['damagedParts', 'Damaged parts of the archive: 3'],
  ['messages', 'Messages that could not be placed: 3'],
  ['versions', 'Further versions of messages: 3'],
  ['longTexts', 'Ends of very long messages: 3'],
  ['toolCalls', 'Calls of tools, with their results: 3'],
  ['callExtras', 'What tools showed beside their results (apps, links, notes, questions): 3'],
  ['codeRuns', 'Programs that the assistant ran, with what they wrote: 3'],
  ['webSearches', 'Searches of the web, with their results: 3'],
  ['documentChanges', 'Changes of documents that could not be repeated: 3'],
  ['documentComments', 'Comments on documents: 3'],
  ['missingDocuments', 'Documents that the export does not have: 3'],
  ['citations', 'Sources whose addresses the export does not have: 3'],
  ['furtherSources', 'Sources for which a message has no room: 3'],
  ['reasoning', 'Parts of the assistant’s reasoning: 3'],
  ['notices', 'Notes below replies: 3'],
  ['replyUsage', 'What replies used, in tokens and costs: 3'],
  ['recordings', 'Sound and video recordings: 3'],
  ['missingFiles', 'Files that the export does not have, or that are larger than 20 MB: 3'],
  ['linkedFiles', 'Files that the assistant made and the export does not have: 3'],
  ['furtherFiles', 'Files beyond 10 of one message: 3'],
  ['refusedFiles', 'Files that the service did not take: 3'],
  ['unusedFiles', 'Files that belong to no message: 3'],
  ['tags', 'Tags of conversations: 3'],
  ['conversationChoices', 'Models and choices of tools of conversations: 3'],
  ['projectPlaces', 'Conversations of projects that the export does not name: 3'],
  ['projectDescriptions', 'Descriptions of projects: 3'],
  ['projectChoices', 'Models and tools that projects had chosen: 3'],
  ['projectFiles', 'Files beyond 50 of one project: 3'],
  ['refusedProjects', 'Projects that the service did not take: 3'],
  ['refusedPrompts', 'Saved prompts that the service did not take: 3'],
  ['refusedMemories', 'Memories that the service did not take: 3'],
  ['sourceMemories', 'What the other assistant remembered of you: 3'],
  ['instructions', 'Custom instructions, because you have others here: 3'],
  ['accountData', 'Settings, connections and other data of the account: 3'],
  ['parts', 'Parts of messages that have no place here: 3'],
  ['otherFiles', 'Other files of the export: 3'],
] as const satisfies readonly (readonly [keyof LeftOut, string])[]

it('says of everything that is left out what it is, and what to do about it', async () => {
  const leftOut: LeftOut = Object.fromEntries(kinds.map(([kind]) => [kind, { count: 3, names: [] }]))
  await ended({ imported: 1 }, { leftOut })
  const rows = within(screen.getByRole('list', { name: 'Left out' })).getAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent)).toEqual(
    kinds.map(([kind, text]) => text + ((steps as Partial<Record<keyof LeftOut, string>>)[kind] ?? '')),
  )
  expect(describeLeftOut('tags', { count: 2, names: ['work'], hasOthers: true })).toBe(
    'Tags of conversations: 2 (work, …)',
  )
})

it('offers no way to files that cannot be had', async () => {
  const leftOut: LeftOut = { refusedFiles: { count: 1, names: ['a.pdf'] } }
  // nothing of this import could be undone
  const { client, service } = await ended({ extended: 1 }, { leftOut })
  expect(screen.queryByText(steps.refusedFiles)).toBeNull()
  const state = service.store.getState() as Extract<ImportState, { phase: 'ended' }>
  act(() => service.store.setState({ ...state, counts: { ...noCounts, imported: 1 } }))
  screen.getByText(steps.refusedFiles)
  act(() => void client.setQueryData(accountQuery.queryKey, { limits: { upload: false } } as AccountRead))
  await waitFor(() => expect(screen.queryByText(steps.refusedFiles)).toBeNull())
})

const imports = [
  { id: 'i1', source: 'chatgpt' as const, imported_at: '2026-11-20T09:00:00Z', conversations: 1 },
  { id: 'i2', source: 'juno' as const, imported_at: '2026-11-21T09:00:00Z', conversations: 3 },
]

it.each([
  [0, '1 conversation will be deleted, with its files and with what you added to it since.'],
  [1, '3 conversations will be deleted, with their files and with what you added to them since.'],
])('asks before an import is undone: %i', async (index, text) => {
  await open({ phase: 'idle' }, { 'imports.list': () => ({ imports }) })
  const rows = within(await screen.findByRole('list', { name: 'Imports' })).getAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^ChatGPT, .*2026: 1 conversationUndo import$/),
    expect.stringMatching(/^Juno, .*2026: 3 conversationsUndo import$/),
  ])
  fireEvent.click(within(rows[index] as HTMLElement).getByRole('button'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Undo this import?' }))
  dialog.getByText(text)
  dialog.getByText(
    'Projects, prompts and memories stay, and so do messages that were added to conversations of an earlier import.',
  )
})

it('says which import is being undone, and takes no other one', async () => {
  await open({ phase: 'undoing', importId: 'i2', remaining: 2 }, { 'imports.list': () => ({ imports }) })
  const [first, second] = within(
    await screen.findByRole('list', { name: 'Imports' }),
  ).getAllByRole<HTMLButtonElement>('button')
  expect(first?.disabled).toBe(true)
  expect(second?.textContent).toBe('Undoing…')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Choose files' }).disabled).toBe(true)
})

it('says that the imports could not be loaded', async () => {
  await open(
    { phase: 'idle' },
    {
      'imports.list': () => {
        throw new ApiError({ status: 503, code: 'x', userMessage: 'The table is busy.' })
      },
    },
  )
  expect(await screen.findByText(/The table is busy\./)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
})

it('still shows the imports if they cannot be loaded again, also of a source that only a newer service knows', async () => {
  let isDown = false
  const { client } = await open(
    { phase: 'idle' },
    {
      'imports.list': () => {
        if (isDown) throw new ApiError({ status: 503, code: 'x', userMessage: 'The table is busy.' })
        return { imports }
      },
    },
  )
  await screen.findByRole('list', { name: 'Imports' })
  isDown = true
  await act(() => client.refetchQueries({ queryKey: importsQuery.queryKey }))
  expect(screen.queryByText(/The table is busy\./)).toBeNull()
  const [one] = imports
  act(() => void client.setQueryData(importsQuery.queryKey, [{ ...one!, source: 'grok' as 'claude' }]))
  expect((await screen.findByRole('listitem')).textContent).toMatch(/^grok, /)
})

it('an import that was cancelled before the service answered can be undone as an earlier one', async () => {
  const { service } = await open(
    { phase: 'ended', importId: 'i1', isCancelled: true, leftOut: {}, counts: noCounts },
    { 'imports.list': () => ({ imports }) },
  )
  const list = await screen.findByRole('list', { name: 'Imports' })
  expect(within(list).getAllByRole('listitem')).toHaveLength(2)
  // the result has the button itself
  const state = service.store.getState() as Extract<ImportState, { phase: 'ended' }>
  act(() => service.store.setState({ ...state, counts: { ...noCounts, imported: 1 } }))
  expect(within(list).getAllByRole('listitem')).toHaveLength(1)
})

it('shows no toast about an import whose undoing ends after its user has signed out', async () => {
  const undoing = Promise.withResolvers<RouteResponse<'imports.undo'>>()
  const { api, client } = await open(
    { phase: 'idle' },
    { 'imports.list': () => ({ imports }), 'imports.undo': () => undoing.promise },
  )
  const [row] = within(await screen.findByRole('list', { name: 'Imports' })).getAllByRole('button')
  fireEvent.click(row as HTMLElement)
  const dialog = within(await screen.findByRole('dialog', { name: 'Undo this import?' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Undo import' }))
  await waitFor(() => expect(api.requestsTo('imports.undo')).toHaveLength(1))
  await act(async () => closeUserResources(client))
  await act(async () => undoing.resolve({ success: true, deleted: 1, remaining: 0 }))
  expect(vi.mocked(showToast)).not.toHaveBeenCalled()
})

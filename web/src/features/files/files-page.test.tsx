import { act, fireEvent, screen, within } from '@testing-library/react'
import { useLocation } from '../../lib/navigation/router.tsx'
import { expect, it } from 'vitest'
import { fakeApi, type RouteHandlers } from '../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../test/support/render-page.tsx'
import type { AccountRead } from '#shared/contracts/account.ts'
import { accountQuery } from '../../lib/account/account-queries.ts'
import { ApiError } from '../../lib/api/api-errors.ts'
import { FilesPage } from './files-page.tsx'
import type { ListedFile } from './files-queries.ts'

const aFile = (name: string, changes: Partial<ListedFile> = {}): ListedFile => ({
  id: name,
  name,
  type: 'application/octet-stream',
  size: 2_048,
  created_at: '2026-11-20T09:00:00Z',
  session_ids: [],
  project_ids: [],
  ...changes,
})

function open(files: readonly ListedFile[], more: RouteHandlers = {}, pageSize = 50) {
  const storage = { used_bytes: 3 * 1_024 ** 2, limit_bytes: 1_024 ** 3 }
  const titles = [
    { id: 's1', title: 'Tea' },
    { id: 's2', title: 'Milk' },
  ]
  const api = fakeApi({
    'files.list': ({ query: { offset } }) => ({
      success: true,
      attachments: files.slice(Number(offset), Number(offset) + pageSize),
      total: files.length,
      storage,
    }),
    'sessions.list': () => ({ sessions: titles.map((one) => ({ ...session, ...one })) }),
    'assistants.list': () => ({ assistants: [], publishing: { allowed: true, groups: [] } }),
    ...more,
  })
  return { api, ...renderPage(<FilesPage />, '/files') }
}
const session = {
  user_id: 'u1',
  created_at: '2026-11-20T09:00:00Z',
  updated_at: '2026-11-20T09:00:00Z',
  message_count: 2,
}
const rows = async () => {
  const list = await screen.findByRole('list', { name: 'Your files' })
  return within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
}

it('says what is here before the files are, and that there are none', async () => {
  open([])
  expect(screen.getByText('Files you attached and images generated for you')).toBeDefined()
  expect(screen.getByLabelText('Loading your files')).toBeDefined()
  expect(await screen.findByRole('heading', { name: 'No files yet' })).toBeDefined()
  screen.getByText('Files that you attach to messages and images that are generated for you are listed here.')
})

it('says that the group of the user adds none', async () => {
  const { client } = open([])
  await screen.findByRole('heading', { name: 'No files yet' })
  act(() => void client.setQueryData(accountQuery.queryKey, { limits: { upload: false } } as AccountRead))
  expect(
    await screen.findByText(
      'Your group may not add files. Images that are generated for you are listed here.',
    ),
  ).toBeDefined()
})

it('says that they could not be loaded, and loads them again', async () => {
  let isDown = true
  open([aFile('a.txt')], {
    'files.list': () => {
      if (isDown) throw new ApiError({ status: 503, code: 'x', userMessage: 'The storage is unavailable.' })
      return {
        success: true,
        attachments: [aFile('a.txt')],
        total: 1,
        storage: { used_bytes: 1_024, limit_bytes: 2_048 },
      }
    },
  })
  await screen.findByText(/^Your files could not be loaded\. The storage is unavailable\./)
  isDown = false
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await rows()).toHaveLength(1)
  expect(screen.getByText(/^1 file, by name\. 1.0 KB of 2.0 KB used\.$/)).toBeDefined()
})

it('says of each what it is, how large, and where it is used', async () => {
  open([
    aFile('clip.mp4', { type: 'video/mp4' }),
    aFile('cup.png', { type: 'image/png', isGenerated: true, session_ids: ['s1'] }),
    aFile('offer.pdf', { type: 'application/pdf', session_ids: ['s2', 's1'], project_ids: ['p1'] }),
    aFile('prices.csv', { type: 'text/csv', project_ids: ['p1'] }),
    aFile('say.mp3', { type: 'audio/mpeg', session_ids: ['temporary'] }),
    aFile('tea.txt', { type: 'text/plain', session_ids: ['temporary', 's1', 's2'] }),
  ])
  const list = await screen.findByRole('list', { name: 'Your files' })
  await within(list).findAllByRole('link', { name: 'Tea' })
  expect(screen.getByText(/^6 files, by name\. 3.0 MB of 1.0 GB used\.$/)).toBeDefined()
  const uses = [
    'Not used in a chat',
    'In Tea',
    'In Milk and 1 more',
    'In a project',
    'In a conversation',
    'In Tea and 2 more',
  ]
  const kinds = ['Video', 'Generated image', 'PDF', 'Spreadsheet', 'Audio', 'Document']
  expect(await rows()).toEqual(
    kinds.map(
      (kind, index) => expect.stringMatching(new RegExp(`${kind}·2.0 KB·.*${uses[index]}$`)) as string,
    ),
  )
})

it('lists a file once that moved to the next page because one was added', async () => {
  const files = ['b', 'c', 'd'].map((name) => aFile(name))
  open(files, {}, 2)
  await rows()
  files.unshift(aFile('a'))
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await screen.findByRole('button', { name: 'Delete d' })
  expect((await rows()).map((text) => text?.charAt(0))).toEqual(['b', 'c', 'd'])
})

it('says of a failed page, below those that are there', async () => {
  const files = ['a.txt', 'b.txt'].map((name) => aFile(name))
  open(files, {
    'files.list': ({ query: { offset } }) => {
      if (Number(offset) > 0) throw new ApiError({ status: 503, code: 'x', userMessage: 'Not now.' })
      return {
        success: true,
        attachments: files.slice(0, 1),
        total: 2,
        storage: { used_bytes: 1, limit_bytes: 2 },
      }
    },
  })
  expect(await rows()).toHaveLength(1)
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await screen.findByText('More could not be loaded. Not now.')
  expect(await rows()).toHaveLength(1)
})

const deletion = async () => {
  fireEvent.click(await screen.findByRole('button', { name: /^Delete / }))
  return within(await screen.findByRole('dialog', { name: 'Delete this file?' }))
}

it.each([
  ['that nothing uses', {}, '“a.txt” will be deleted permanently.'],
  [
    'of messages',
    { session_ids: ['s1'] },
    '“a.txt” will be deleted permanently. The messages that it is attached to keep its name.',
  ],
  [
    'of a project',
    { project_ids: ['p2'] },
    '“a.txt” will be deleted permanently. The project that it is in loses it.',
  ],
  [
    'of projects, one of which is published',
    { session_ids: ['s1'], project_ids: ['p1', 'p2'] },
    '“a.txt” will be deleted permanently. The messages that it is attached to keep its name. 2 projects that it is in lose it. An assistant that was published with it has its text until you publish again or withdraw it.',
  ],
])('asks before it deletes a file %s', async (_, changes, text) => {
  const assistant = {
    id: 'a1',
    name: 'Desk',
    description: '',
    starters: [],
    version: 1,
    published_at: '2026-11-20T09:00:00Z',
  }
  open([aFile('a.txt', changes)], {
    'assistants.list': () => ({
      assistants: [{ ...assistant, mine: true, publisher: { name: 'Mika' }, tools: [], project_id: 'p1' }],
      publishing: { allowed: true, groups: [] },
    }),
  })
  const dialog = await deletion()
  expect(await dialog.findByText(text)).toBeDefined()
})

function Address() {
  const { pathname, hash } = useLocation()
  return <output>{pathname + hash}</output>
}

it('leads back to the section of the settings that leads here', async () => {
  fakeApi({
    'files.list': () => ({
      success: true,
      attachments: [],
      total: 0,
      storage: { used_bytes: 0, limit_bytes: 1_024 },
    }),
    'sessions.list': () => ({ sessions: [] }),
  })
  renderPage(
    <>
      <Address />
      <FilesPage />
    </>,
    '/files',
  )
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Back' })))
  expect(screen.getByText(/^\/settings/, { selector: 'output' }).textContent).toBe('/settings#privacy')
})

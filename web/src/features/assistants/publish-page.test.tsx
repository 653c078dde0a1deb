import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { Link, Router, Routes, useLocation } from '../../lib/navigation/router.tsx'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Assistant } from '#shared/contracts/assistants.ts'
import type { Project } from '#shared/contracts/projects.ts'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError } from '../../lib/api/api-errors.ts'
import { readInput } from '../../lib/input/inputs.ts'
import { closeUserResources } from '../../lib/actions/user-resources.ts'
import type { Connected } from './publish-editor.tsx'
import { PublishPage } from './publish-page.tsx'

vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const assistant: Assistant = {
  id: 'a',
  project_id: 'p',
  name: 'Order desk',
  description: '',
  starters: [],
  version: 1,
  published_at: '2026-11-09T10:00:00Z',
  audience: 'everyone',
  mine: true,
  publisher: { name: 'Mika' },
  tools: [],
}
let response: PromiseWithResolvers<void>
let files: Project['files']
let published: string[]
let assistants: Assistant[]
beforeEach(() => {
  vi.mocked(showToast).mockReset()
  response = Promise.withResolvers()
  assistants = []
  files = []
  published = []
  fakeApi({
    'projects.read': () => ({
      success: true,
      project: { id: 'p', name: 'Orders', instructions: '', files, created_at: '', updated_at: '' },
    }),
    'assistants.list': () => ({
      assistants: [...assistants],
      publishing: { allowed: true, groups: [] },
    }),
    'prompts.list': () => ({ prompts: [] }),
    'assistants.publish': async () => {
      await response.promise
      assistants = [assistant]
      return { success: true, assistant, file_ids: published }
    },
    'assistants.withdraw': async () => {
      await response.promise
      assistants = []
      return { success: true }
    },
  })
})

function Place() {
  return <output>{useLocation().pathname}</output>
}
async function open(heading = 'Publish', connected: readonly Connected[] | null = []) {
  history.replaceState({ idx: 0 }, '', '/projects/p/publish')
  const client = new QueryClient()
  render(
    <QueryClientProvider client={client}>
      <Router>
        <Place />
        <Link to="/integrations">Tools</Link>
        <Routes
          pages={{
            '/projects/p/publish': <PublishPage projectId="p" connected={connected ?? undefined} />,
            '*': null,
          }}
        />
      </Router>
    </QueryClientProvider>,
  )
  await screen.findByRole('heading', { name: heading })
  return client
}
const where = () => screen.getByRole('status').textContent
const press = (button: HTMLElement) => act(async () => fireEvent.click(button))
const publish = async () => press(await screen.findByRole('button', { name: /^Publish version/ }))
const withdraw = async () => {
  await press(await screen.findByRole('button', { name: 'Withdraw' }))
  await press(within(screen.getByRole('dialog')).getByRole('button', { name: 'Withdraw' }))
}

it('shows the assistant to its publisher who has waited', async () => {
  await open()
  await publish()
  await act(async () => response.resolve())
  await vi.waitFor(() => expect(where()).toBe('/assistants/a'))
  expect(showToast).toHaveBeenCalledExactlyOnceWith('success', 'Version 1 is published')
})

const aFile = (name: string, reading?: Project['files'][number]['reading']): Project['files'][number] => ({
  id: name,
  name,
  type: 'text/plain',
  size: 1,
  url: '',
  created_at: '',
  ...(reading && { reading }),
})

it.each([
  [null, []],
  [[], ['Offers no connected tools.']],
  [[{ id: 'm', name: 'Mail' }], ['Offers Mail; each person connects their own.']],
])('says which tools it offers, once they are known: %j', async (connected, expected) => {
  await open(undefined, connected)
  const facts = within(await screen.findByRole('complementary', { name: 'Preview' })).getAllByRole('listitem')
  const texts = facts.map(({ textContent }) => textContent)
  expect(texts.filter((text) => text?.startsWith('Offers'))).toEqual(expected)
})

it('says which files of the preview are not in the published version', async () => {
  const read = { state: 'read' } as const
  files = [
    aFile('kept.txt', read),
    aFile('gone.txt', read),
    aFile('late.txt', { state: 'pending' }),
    aFile('scan.pdf', { state: 'unreadable' }),
    aFile('photo.png'),
  ]
  published = ['kept.txt']
  await open()
  await publish()
  // the other tab has deleted them
  files = files.slice(0, 1)
  await act(async () => response.resolve())
  await vi.waitFor(() => expect(where()).toBe('/assistants/a'))
  const [missing, done] = vi.mocked(showToast).mock.calls
  expect(missing?.slice(0, 2)).toEqual(['info', '2 files are not in the published version'])
  expect(missing?.[2]?.description).toMatch(/: gone\.txt, late\.txt$/)
  expect(done).toEqual(['success', 'Version 1 is published'])
})

it.each([
  ['shows another page', () => press(screen.getByRole('link', { name: 'Tools' })), '/integrations'],
  [
    'types on',
    async () => void fireEvent.input(screen.getByRole('textbox', { name: 'Name' })),
    '/projects/p/publish',
  ],
])('offers the assistant to a publisher who %s meanwhile', async (_name, goOn, place) => {
  await open()
  await publish()
  await goOn()
  await act(async () => response.resolve())
  await vi.waitFor(() => expect(showToast).toHaveBeenCalledOnce())
  expect(where()).toBe(place)
  const [kind, title, options] = vi.mocked(showToast).mock.lastCall ?? []
  expect([kind, title, options?.action?.label]).toEqual(['success', 'Version 1 is published', 'Open'])
  await act(async () => options?.action?.onClick())
  expect(where()).toBe('/assistants/a')
})

it.each([
  ['leads back to the project', async () => undefined, '/projects/p'],
  ['takes nobody away who has gone on', async () => press(screen.getByText('Tools')), '/integrations'],
])('a withdrawal %s', async (_name, goOn, place) => {
  assistants = [assistant]
  await open()
  await withdraw()
  await goOn()
  await act(async () => response.resolve())
  await vi.waitFor(() => expect(showToast).toHaveBeenCalledExactlyOnceWith('success', 'Withdrawn'))
  expect(where()).toBe(place)
})

it('leads to the first field that is wrong at the first press', async () => {
  await open()
  const name = await screen.findByRole('textbox', { name: 'Name' })
  fireEvent.change(name, { target: { value: ' ' } })
  await publish()
  expect(document.activeElement).toBe(name)
})

it('keeps what is typed while the version before it is published', async () => {
  await open()
  await screen.findByRole('button', { name: /^Publish version/ })
  fireEvent.input(screen.getByLabelText('What is it for?'), { target: { value: 'Takes orders' } })
  await publish()
  fireEvent.input(screen.getByLabelText('What is it for?'), { target: { value: 'Takes and tracks orders' } })
  await act(async () => response.resolve())
  await vi.waitFor(() => expect(showToast).toHaveBeenCalledOnce())
  expect(screen.getByLabelText<HTMLTextAreaElement>('What is it for?').value).toBe('Takes and tracks orders')
})

it('a project that is gone leads back, and does not ask to try again', async () => {
  fakeApi({
    'projects.read': () => {
      throw new ApiError({ status: 404, code: 'not_found', userMessage: 'There is no such project.' })
    },
    'assistants.list': () => ({ assistants: [], publishing: { allowed: true, groups: [] } }),
    'prompts.list': () => ({ prompts: [] }),
  })
  await open('This project does not exist any more.')
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Back to the chat' })).toBeTruthy()
})

it('the problem of the audience comes into a region that screen readers watch already', async () => {
  await open()
  fireEvent.click(await screen.findByRole('radio', { name: /^Groups/ }))
  const group = screen.getByRole('group', { name: 'Who may use it' })
  const region = group.querySelector('[aria-live]')
  expect(region?.className).not.toContain('hidden')
  await publish()
  expect(region?.textContent).toBe('Please choose a group, or everyone.')
  expect(document.getElementById(group.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Please choose a group, or everyone.',
  )
})

it('names no file to somebody who has signed in after the publisher has signed out', async () => {
  files = [aFile('salaries.txt', { state: 'read' })]
  const client = await open()
  await publish()
  const reloaded = Promise.withResolvers<void>()
  const invalidate = client.invalidateQueries.bind(client)
  vi.spyOn(client, 'invalidateQueries').mockImplementationOnce(async (...filters) => {
    await invalidate(...filters)
    await reloaded.promise
  })
  await act(async () => response.resolve())
  closeUserResources(client)
  await act(async () => reloaded.resolve())
  expect(showToast).not.toHaveBeenCalled()
})

it('Cancel discards nothing while a version is published, which may fail', async () => {
  await open()
  await publish()
  await press(screen.getByRole('button', { name: 'Cancel' }))
  expect(where()).toBe('/projects/p/publish')
  await act(async () => response.resolve())
})

it('Cancel discards what was entered, and leads back to the project', async () => {
  await open()
  const name = await screen.findByLabelText<HTMLInputElement>('Name')
  fireEvent.change(name, { target: { value: 'Front desk' } })
  await press(screen.getByRole('button', { name: 'Cancel' }))
  await vi.waitFor(() => expect(where()).toBe('/projects/p'))
  expect(readInput('publish/p')).toBeUndefined()
})

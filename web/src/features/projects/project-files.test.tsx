import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError } from '../../lib/api/api-errors.ts'
import type { Project } from '#shared/contracts/projects.ts'
import type { AccountRead } from '#shared/contracts/account.ts'
import { accountQuery } from '../../lib/account/account-queries.ts'
import { projectQuery, updateProject } from '../../lib/queries/project-queries.ts'
import { closeUserResources } from '../../lib/actions/user-resources.ts'
import { ProjectFiles } from './project-files.tsx'

vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const aFile = (id: string, name: string, created_at: string) => ({
  id,
  name,
  created_at,
  type: 'text/plain',
  size: 100,
})

it('files of one name are told apart by when they were added', () => {
  const files = [
    aFile('a', 'prices.txt', '2026-11-20T09:00:00Z'),
    aFile('b', 'plan.txt', '2026-11-21T09:00:00Z'),
    aFile('c', 'prices.txt', '2026-11-22T09:00:00Z'),
  ]
  render(
    <MemoryRouter>
      <QueryClientProvider client={new QueryClient()}>
        <ProjectFiles project={{ files } as unknown as Project} upload={() => new Promise(() => undefined)} />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  const lines = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(lines).toEqual([
    expect.stringMatching(/^prices\.txt.*added .*20.*2026/),
    expect.not.stringContaining('added'),
    expect.stringMatching(/^prices\.txt.*added .*22.*2026.*newest of this name$/),
  ])
  const names = screen.getAllByRole('button', { name: /^Remove/ }).map((button) => button.ariaLabel)
  expect(new Set(names).size).toBe(3)
})

const project = (...ids: string[]) =>
  ({
    id: 'p',
    name: 'Move',
    instructions: '',
    created_at: '',
    updated_at: '',
    files: ids.map((id) => aFile(id, `${id}.txt`, '')),
  }) as unknown as Project
/** The service's responses to changes, each of which waits for the test. */
let responses: (() => void)[]
let client: QueryClient
beforeEach(() => {
  history.replaceState(null, '', '/')
  vi.mocked(showToast).mockReset()
  responses = []
  client = new QueryClient()
  client.setQueryData(projectQuery('p').queryKey, project())
  let stored: readonly string[] = []
  fakeApi({
    'projects.update': async ({ body: { add_files = [], remove_files = [] } }) => {
      stored = [...stored.filter((id) => !remove_files.includes(id)), ...add_files]
      const changed = project(...stored)
      await new Promise<void>((resolve) => responses.push(resolve))
      return { success: true, project: changed }
    },
  })
})
const respond = () => act(async () => vi.waitFor(() => (responses.pop() ?? expect.fail('no request'))()))
const getFiles = () => client.getQueryData(projectQuery('p').queryKey)?.files.map(({ id }) => id)

it('an older response does not take away what a later change has brought', async () => {
  const changes = ['a', 'b', 'c'].map((id) => updateProject(client, 'p', { add_files: [id] }))
  const removal = updateProject(client, 'p', { remove_files: ['a'] })
  // the newest request is answered first
  for (let count = 0; count < 4; count += 1) await respond()
  await Promise.all([...changes, removal])
  expect(getFiles()).toEqual(['b', 'c'])
})

it('files go on while another page is shown, three at a time, and one toast leads to them', async () => {
  const uploaded = new Map<string, () => void>()
  const upload = vi.fn<(file: File) => Promise<ReturnType<typeof aFile>>>(
    (file) =>
      new Promise<ReturnType<typeof aFile>>((resolve) =>
        uploaded.set(file.name, () => resolve(aFile(file.name, file.name, ''))),
      ),
  )
  const view = render(
    <MemoryRouter>
      <QueryClientProvider client={client}>
        <ProjectFiles project={project()} upload={upload as never} />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  const files = ['a', 'b', 'c', 'd'].map((name) => new File(['x'], name))
  fireEvent.change(screen.getByLabelText('Files to add to the project'), { target: { files } })
  expect([screen.getAllByText(/^Uploading/).length, upload.mock.calls.length]).toEqual([4, 3])
  view.unmount()
  const warning = new Event('beforeunload', { cancelable: true })
  dispatchEvent(warning)
  expect(warning.defaultPrevented).toBe(true)
  for (const name of ['a', 'b', 'c', 'd']) {
    await vi.waitFor(() => expect(uploaded.has(name)).toBe(true))
    await act(async () => uploaded.get(name)?.())
    await respond()
  }
  await vi.waitFor(() => expect(showToast).toHaveBeenCalledOnce())
  expect(vi.mocked(showToast).mock.calls[0]).toMatchObject([
    'success',
    '4 files added',
    { action: { label: 'Open' } },
  ])
  expect(getFiles()).toEqual(['a', 'b', 'c', 'd'])
})

it('the toast names the files that were added although the last one fails, and none that were seen meanwhile', async () => {
  const uploads = new Map<string, PromiseWithResolvers<ReturnType<typeof aFile>>>()
  const upload = (file: File) => {
    const result = Promise.withResolvers<ReturnType<typeof aFile>>()
    uploads.set(file.name, result)
    return result.promise
  }
  render(
    <MemoryRouter>
      <QueryClientProvider client={client}>
        <ProjectFiles project={project()} upload={upload as never} />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  const choose = (...names: string[]) =>
    fireEvent.change(screen.getByLabelText('Files to add to the project'), {
      target: { files: names.map((name) => new File(['x'], name)) },
    })
  const finish = async (name: string) => {
    await act(async () => uploads.get(name)?.resolve(aFile(name, name, '')))
    await respond()
  }
  const fail = (name: string) =>
    act(async () => uploads.get(name)?.reject(new ApiError({ status: 413, code: 'x', userMessage: 'Large' })))
  const listToasts = () => vi.mocked(showToast).mock.calls.map(([, title]) => title)

  choose('a', 'b')
  await finish('a')
  await fail('b')
  await vi.waitFor(() => expect(listToasts()).toEqual(['b was not added', 'a added']))

  choose('c', 'd')
  await finish('c')
  history.pushState(null, '', '/projects/p')
  await finish('d')
  history.pushState(null, '', '/')
  choose('e')
  await finish('e')
  await vi.waitFor(() => expect(listToasts().slice(2)).toEqual(['e added']))

  choose('f', 'g')
  await finish('f')
  history.pushState(null, '', '/projects/p')
  await fail('g')
  history.pushState(null, '', '/')
  choose('h')
  await finish('h')
  await vi.waitFor(() => expect(listToasts().slice(3)).toEqual(['g was not added', 'h added']))
})

it('gives up the files at the sign-out, without a word', async () => {
  let given: AbortSignal | undefined
  const upload = async (file: File, _onProgress: unknown, signal: AbortSignal) =>
    file.name === 'added'
      ? aFile('added', 'added', '')
      : new Promise<never>((_, reject) => {
          given = signal
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        })
  render(
    <MemoryRouter>
      <QueryClientProvider client={client}>
        <ProjectFiles project={project()} upload={upload} />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  fireEvent.change(screen.getByLabelText('Files to add to the project'), {
    target: { files: ['added', 'a'].map((name) => new File(['x'], name)) },
  })
  await respond()
  await act(async () => closeUserResources(client))
  expect([given?.aborted, vi.mocked(showToast).mock.calls]).toEqual([true, []])
})

it('a file that the store did not take is reported with what the upload says', async () => {
  const failure = new ApiError({
    status: 503,
    code: 'store_failed',
    userMessage: 'It could not be uploaded.',
  })
  render(
    <MemoryRouter>
      <QueryClientProvider client={client}>
        <ProjectFiles project={project()} upload={() => Promise.reject(failure)} />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  fireEvent.change(screen.getByLabelText('Files to add to the project'), {
    target: { files: [new File(['x'], 'a')] },
  })
  await vi.waitFor(() =>
    expect(vi.mocked(showToast).mock.calls).toEqual([['error', 'a was not added', { error: failure }]]),
  )
})

it('where the user’s groups forbid files, none is added, and a sentence says so; those that are there can be removed', () => {
  client.setQueryData(accountQuery.queryKey, { limits: { upload: false } } as AccountRead)
  const upload = vi.fn<() => Promise<never>>()
  render(
    <MemoryRouter>
      <QueryClientProvider client={client}>
        <ProjectFiles project={project('a')} upload={upload} />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add files' }).disabled).toBe(true)
  expect(screen.getByText('Your group may not add files. Please ask an administrator.')).toBeTruthy()
  const input = screen.getByLabelText('Files to add to the project')
  fireEvent.change(input, { target: { files: [new File(['x'], 'b.txt')] } })
  expect(upload).not.toHaveBeenCalled()
  expect(vi.mocked(showToast).mock.calls).toMatchObject([
    ['warning', 'Your group may not add files. Please ask an administrator.', {}],
  ])
  expect(screen.getByRole('button', { name: 'Remove a.txt from the project' })).toBeTruthy()
})

it('a file is removed once, and the focus stays with a user who has gone on', async () => {
  const view = render(
    <MemoryRouter>
      <QueryClientProvider client={client}>
        <ProjectFiles project={project('a', 'b')} upload={() => new Promise(() => undefined)} />
        <textarea aria-label="Message" />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  const removeA = screen.getByRole('button', { name: 'Remove a.txt from the project' })
  fireEvent.click(removeA)
  fireEvent.click(removeA)
  expect(removeA.ariaBusy).toBe('true')
  const message = screen.getByLabelText('Message')
  message.focus()
  await respond()
  await vi.waitFor(() => expect(removeA.ariaBusy).toBeNull())
  expect([document.activeElement, responses, vi.mocked(showToast).mock.calls.length]).toEqual([
    message,
    [],
    1,
  ])
  const removeB = screen.getByRole('button', { name: 'Remove b.txt from the project' })
  removeB.focus()
  fireEvent.click(removeB)
  await respond()
  await vi.waitFor(() => expect(removeB.ariaBusy).toBeNull())
  expect(document.activeElement?.textContent).toBe('Add')
  view.unmount()
})

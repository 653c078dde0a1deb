import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/support/fake-api.ts'
import { renderPage } from '../../../test/support/render-page.tsx'
import { ApiError, NetworkError } from '../lib/api/api-errors.ts'
import { closeUserResources } from '../lib/actions/user-resources.ts'
import { PromptDialog } from './prompt-dialog.tsx'
import { SavedPrompts } from './saved-prompts.tsx'
import { showToast } from './ui/toast.ts'

vi.mock('./ui/toast.ts')

const brief = {
  id: crypto.randomUUID(),
  name: 'Brief',
  text: 'Be brief.',
  created_at: '2026-11-20T09:00:00Z',
}

beforeEach(() => vi.mocked(showToast).mockReset())

it('a prompt is deleted once by two clicks, and one that was deleted elsewhere counts as deleted', async () => {
  let prompts = [brief]
  const api = fakeApi({
    'prompts.list': () => ({ prompts }),
    'prompts.delete': () => {
      prompts = []
      throw new ApiError({ status: 404, code: 'prompt_not_found', userMessage: 'There is no such prompt.' })
    },
  })
  renderPage(<SavedPrompts />)
  const button = await screen.findByRole('button', { name: 'Delete Brief' })
  fireEvent.click(button)
  fireEvent.click(button)
  await screen.findByText('No saved prompts yet.')
  await waitFor(() => expect(vi.mocked(showToast).mock.calls.map(([kind]) => kind)).toEqual(['info']))
  expect(api.requestsTo('prompts.delete')).toHaveLength(1)
})

it('a deletion that ends late takes the focus only from its own button', async () => {
  let prompts = [brief, { ...brief, id: crypto.randomUUID(), name: 'Long' }]
  const deletion = Promise.withResolvers<void>()
  fakeApi({
    'prompts.list': () => ({ prompts }),
    'prompts.delete': async () => {
      await deletion.promise
      prompts = prompts.slice(1)
      return { success: true as const }
    },
  })
  renderPage(<SavedPrompts />)
  const deleteBrief = await screen.findByRole('button', { name: 'Delete Brief' })
  deleteBrief.focus()
  fireEvent.click(deleteBrief)
  const editLong = screen.getByRole('button', { name: 'Edit Long' })
  editLong.focus()
  await act(async () => deletion.resolve())
  await waitFor(() => expect(screen.queryByText('Brief')).toBeNull())
  expect(document.activeElement).toBe(editLong)
  const deleteLong = screen.getByRole('button', { name: 'Delete Long' })
  deleteLong.focus()
  fireEvent.click(deleteLong)
  await screen.findByText('No saved prompts yet.')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add prompt' }))
})

it('a prompt of another project can be saved meanwhile', async () => {
  const saving = Promise.withResolvers<never>()
  fakeApi({ 'prompts.create': () => saving.promise })
  renderPage(
    <>
      {['project-a', 'project-b'].map((id) => (
        <PromptDialog
          key={id}
          prompt={{ name: 'Brief', text: 'Be brief.' }}
          projectId={id}
          onClose={() => undefined}
          onSaved={() => undefined}
        />
      ))}
    </>,
  )
  const [first, second] = screen.getAllByRole('button', { name: 'Save', hidden: true })
  await act(async () => fireEvent.click(first as HTMLElement))
  expect([first, second].map((button) => button?.getAttribute('aria-busy'))).toEqual(['true', null])
})

it('shows no toast about a prompt whose deletion is answered after its user has signed out', async () => {
  const deletion = Promise.withResolvers<{ success: true }>()
  const api = fakeApi({
    'prompts.list': () => ({ prompts: [brief] }),
    'prompts.delete': () => deletion.promise,
  })
  const { client } = renderPage(<SavedPrompts />)
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Brief' }))
  await waitFor(() => expect(api.requestsTo('prompts.delete')).toHaveLength(1))
  closeUserResources(client)
  await act(async () => deletion.resolve({ success: true }))
  expect(vi.mocked(showToast)).not.toHaveBeenCalled()
})

it('a prompt that could not be restored is shown with its name and its text', async () => {
  fakeApi({
    'prompts.list': () => ({ prompts: [brief] }),
    'prompts.delete': () => ({ success: true as const }),
    'prompts.create': () => {
      throw new NetworkError()
    },
  })
  renderPage(<SavedPrompts />)
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Brief' }))
  await waitFor(() => expect(vi.mocked(showToast)).toHaveBeenCalledOnce())
  await act(async () => vi.mocked(showToast).mock.lastCall?.[2]?.action?.onClick())
  await waitFor(() => expect(vi.mocked(showToast)).toHaveBeenCalledTimes(2))
  expect(vi.mocked(showToast).mock.lastCall?.[2]).toMatchObject({
    description: `${brief.name}: ${brief.text}`,
    error: expect.any(NetworkError),
  })
})

it('shows no toast with the text of a prompt that could not be restored once its user has signed out', async () => {
  const restoring = Promise.withResolvers<never>()
  const api = fakeApi({
    'prompts.list': () => ({ prompts: [brief] }),
    'prompts.delete': () => ({ success: true as const }),
    'prompts.create': () => restoring.promise,
  })
  const { client } = renderPage(<SavedPrompts />)
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Brief' }))
  await waitFor(() => expect(vi.mocked(showToast)).toHaveBeenCalledOnce())
  const [, , options] = vi.mocked(showToast).mock.lastCall ?? []
  await act(async () => options?.action?.onClick())
  await waitFor(() => expect(api.requestsTo('prompts.create')).toHaveLength(1))
  closeUserResources(client)
  await act(async () => restoring.reject(new NetworkError()))
  expect(vi.mocked(showToast)).toHaveBeenCalledOnce()
})

it.each([/^Add/, 'Edit Brief'])('a text that was saved stays when it is typed again: %s', async (opener) => {
  const saving = Promise.withResolvers<void>()
  const save = async () => {
    await saving.promise
    return { success: true as const, prompt: brief }
  }
  fakeApi({
    'prompts.list': () => ({ prompts: [brief] }),
    'prompts.create': save,
    'prompts.update': save,
  })
  renderPage(<SavedPrompts />)
  await screen.findByText('Brief')
  fireEvent.click(screen.getByRole('button', { name: opener }))
  const type = (label: string, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  type('Name', 'Long')
  type('Text', 'Be long.')
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Save' })))
  type('Text', 'Be longer.')
  await act(async () => saving.resolve())
  type('Text', 'Be long.')
  expect(screen.getByLabelText<HTMLInputElement>('Text').value).toBe('Be long.')
})

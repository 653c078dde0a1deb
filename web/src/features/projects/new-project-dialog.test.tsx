import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../test/support/render-page.tsx'
import type { Project } from '#shared/contracts/projects.ts'
import { showToast } from '../../components/ui/toast.ts'
import { NewProjectDialog } from './new-project-dialog.tsx'

vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const onClose = vi.fn<() => void>()
const aProject = (name: string): Project => ({
  id: 'p',
  name,
  instructions: '',
  files: [],
  created_at: '',
  updated_at: '',
})
/** Like the service: creating the same project again changes nothing. */
function open(...responses: Promise<void>[]) {
  let project: Project | undefined
  const api = fakeApi({
    'projects.create': async ({ body }) => {
      project ??= aProject(body.name)
      await responses.shift()
      return { success: true, project }
    },
    'projects.update': ({ body }) => ({ success: true, project: aProject(body.name ?? '') }),
    'projects.list': () => ({ projects: [] }),
  })
  renderPage(<NewProjectDialog onClose={onClose} onCreated={() => undefined} />)
  return api
}
const getField = () => screen.getByLabelText<HTMLInputElement>('Name')
const type = (value: string) => fireEvent.change(getField(), { target: { value } })
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
beforeEach(() => {
  onClose.mockReset()
  vi.mocked(showToast).mockReset()
})

it('what is typed while a project is created renames it with the next press', async () => {
  const creating = Promise.withResolvers<void>()
  const api = open(creating.promise)
  type('Thes')
  await press('Create project')
  type('Thesis')
  await act(async () => creating.resolve())
  await waitFor(() => expect(showToast).toHaveBeenCalledOnce())
  expect(vi.mocked(showToast).mock.lastCall?.[1]).toBe('“Thes” is ready')
  expect([getField().value, onClose.mock.calls.length]).toEqual(['Thesis', 0])
  await press('Rename')
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(api.requestsTo('projects.update')).toMatchObject([{ body: { name: 'Thesis' } }])
  expect(api.requestsTo('projects.create')).toHaveLength(2)
})

it('a name that was corrected after a lost response is the name of the project', async () => {
  const lost = Promise.withResolvers<void>()
  const api = open(lost.promise, Promise.resolve())
  type('Thes')
  await press('Create project')
  await act(async () => lost.reject(new TypeError('lost')))
  await screen.findByText(/^The service did not confirm it/)
  expect(getField().value).toBe('Thes')
  type('Thesis')
  await press('Create project')
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(api.requestsTo('projects.update')).toMatchObject([{ body: { name: 'Thesis' } }])
})

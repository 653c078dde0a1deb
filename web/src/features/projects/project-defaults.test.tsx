import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { DisabledTool } from '#shared/contracts/chat.ts'
import type { Project } from '#shared/contracts/projects.ts'
import type { PublicModel } from '#shared/models.ts'
import { useQuery } from '@tanstack/react-query'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../test/support/render-page.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { createActions } from '../../lib/actions/actions.ts'
import { NetworkError } from '../../lib/api/api-errors.ts'
import type * as Config from '../../lib/api/config.ts'
import type { AppConfig } from '../../lib/api/config.ts'
import { projectQuery } from '../../lib/queries/project-queries.ts'
import { ToolPickerContext } from '../../lib/conversations/tool-picker-context.ts'
import { getUserResource } from '../../lib/actions/user-resources.ts'
import { ProjectDefaults } from './project-defaults.tsx'

const site = vi.hoisted(() => ({ config: {} as Partial<AppConfig> }))
vi.mock('../../lib/api/config.ts', async (original) => ({
  ...(await original<typeof Config>()),
  useConfig: () => site.config,
}))
vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const createdAt = '2026-11-27T10:00:00.000Z'
const aProject = (disabled_tools: DisabledTool[]): Project => ({
  id: 'p',
  name: 'Trips',
  instructions: '',
  files: [],
  disabled_tools,
  created_at: createdAt,
  updated_at: createdAt,
})

function ProjectFromCache() {
  const { data } = useQuery(projectQuery('p'))
  return data && <ProjectDefaults project={data} />
}

const aModel = (id: string) => ({ id, name: id, efforts: ['low', 'high'] }) as unknown as PublicModel

let answer: (body: { disabled_tools?: DisabledTool[] | undefined }) => Project | Promise<Project>
beforeEach(() => {
  site.config = {}
  answer = ({ disabled_tools = [] }) => aProject(disabled_tools)
})

/** The page of a project, with a picker that shows what is off and switches off one tool more. */
async function open() {
  fakeApi({
    'projects.read': () => ({ success: true, project: aProject([]) }),
    'projects.list': () => ({ projects: [] }),
    'projects.update': async ({ body }) => ({ success: true, project: await answer(body) }),
  })
  const { client, unmount } = renderPage(
    <ToolPickerContext
      value={({ disabledTools, onChange }) => (
        <button type="button" onClick={() => onChange([...disabledTools, { mcp_id: 'x' }])}>
          off: {disabledTools.map(({ mcp_id }) => mcp_id).join('')}
        </button>
      )}
    >
      <ProjectFromCache />
    </ToolPickerContext>,
  )
  await screen.findByRole('button', { name: 'off:' })
  return { client, unmount }
}
const press = () => act(async () => fireEvent.click(screen.getByRole('button')))

it('shows a choice at once, and what is changed elsewhere once it is saved', async () => {
  const { client } = await open()
  await press()
  await press()
  expect(await screen.findByRole('button', { name: 'off: xx' })).toBeTruthy()
  await act(async () => client.setQueryData(projectQuery('p').queryKey, aProject([{ mcp_id: 'other' }])))
  expect(await screen.findByRole('button', { name: 'off: other' })).toBeTruthy()
})

it('takes back a choice that is not saved, and no later one', async () => {
  const failed = Promise.withResolvers<Project>()
  answer = ({ disabled_tools = [] }) =>
    disabled_tools.length === 1 ? failed.promise : aProject(disabled_tools)
  await open()
  await press()
  await press()
  await act(async () => failed.reject(new NetworkError()))
  expect(vi.mocked(showToast).mock.calls).toEqual([
    ['error', 'The project could not be saved', { error: expect.any(NetworkError) as unknown }],
  ])
  expect(await screen.findByRole('button', { name: 'off: xx' })).toBeTruthy()
})

it.each([
  ['the same model again', ['Model', 'a'], ['Model', 'b'], ['Model', 'a']],
  ['another model after an effort', ['Model', 'a'], ['Effort', 'high'], ['Model', 'b']],
])('shows the last choice until all are saved: %s', async (_, ...choices) => {
  site.config = { models: [aModel('a'), aModel('b')] }
  let saved = aProject([])
  const responses: (() => void)[] = []
  answer = (change) => {
    const response = Promise.withResolvers<Project>()
    const entries = Object.entries({ ...saved, ...change }).filter(([, value]) => value !== null)
    saved = Object.fromEntries(entries) as unknown as Project
    const project = saved
    responses.push(() => response.resolve(project))
    return response.promise
  }
  await open()
  const read = () => screen.getAllByRole<HTMLSelectElement>('combobox').map(({ value }) => value)
  for (const [label = '', value] of choices)
    await act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }))
  const last = read()
  for (const index of choices.keys()) {
    await waitFor(() => expect(responses).toHaveLength(index + 1))
    await act(async () => responses[index]?.())
    expect(read()).toEqual(last)
  }
})

it('tells a failure to nobody else', async () => {
  const failed = Promise.withResolvers<Project>()
  answer = () => failed.promise
  const { client, unmount } = await open()
  await press()
  act(() => getUserResource(client, createActions).close())
  await act(async () => failed.reject(new NetworkError()))
  expect(showToast).not.toHaveBeenCalled()
  unmount()
})

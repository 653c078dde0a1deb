import { act, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../test/support/render-page.tsx'
import { createActions } from '../../lib/actions/actions.ts'
import { deletionKey } from '../../lib/actions/running-actions.ts'
import { getUserResource } from '../../lib/actions/user-resources.ts'
import { ProjectPage } from './project-page.tsx'

const createdAt = '2026-11-27T10:00:00.000Z'
const aConversation = (id: string, title: string) => ({
  id,
  user_id: 'u',
  title,
  created_at: createdAt,
  updated_at: createdAt,
  message_count: 2,
})

it('does not list a conversation that is being deleted, until that is undone', async () => {
  fakeApi({
    'projects.read': () => ({
      success: true,
      project: {
        id: 'p',
        name: 'Trips',
        instructions: '',
        files: [],
        created_at: createdAt,
        updated_at: createdAt,
      },
    }),
    'sessions.list': () => ({ sessions: [aConversation('a', 'Rome'), aConversation('b', 'Paris')] }),
    'prompts.list': () => ({ prompts: [] }),
    'assistants.list': () => ({ assistants: [], publishing: { allowed: true, groups: [] } }),
    'tools.list': () => ({ integrations: [] }),
  })
  const { client } = renderPage(
    <ProjectPage
      projectId="p"
      upload={() => new Promise(() => undefined)}
      renderComposer={() => <p>composer</p>}
    />,
    '/projects/p',
  )
  const list = within(await screen.findByRole('list', { name: 'Conversations' }))
  const listTitles = () => list.getAllByRole('link').map((link) => link.querySelector('[title]')?.textContent)
  expect(listTitles()).toEqual(['Rome', 'Paris'])
  const actions = getUserResource(client, createActions)
  const deletion = actions.postpone(deletionKey('a'), { run: async () => undefined, undo: () => undefined })
  await act(async () => undefined)
  expect(listTitles()).toEqual(['Paris'])
  act(() => deletion.undo())
  expect(listTitles()).toEqual(['Rome', 'Paris'])
})

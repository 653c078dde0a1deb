import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { expect, it } from 'vitest'
import type { ProjectSummary } from '#shared/contracts/projects.ts'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { rememberModel } from '../../lib/conversations/last-model.ts'
import { getUserResource } from '../../lib/actions/user-resources.ts'
import { ProjectComposer } from './project-composer.tsx'
import type { Choice } from './state/conversation-parts.ts'
import { createOpenConversations } from './state/conversations.ts'

const web = { namespace: 'builtin', name: 'web' } as never
const given: ProjectSummary = { id: 'p', name: 'Lyon', model: 'a', created_at: '', updated_at: '' }

/** @returns what the chat of the project would be sent with, after each change */
function open() {
  fakeApi({})
  const client = new QueryClient()
  const page = (project: ProjectSummary) => (
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <ProjectComposer userId="u" readConnections={() => undefined} savesConversations project={project} />
      </MemoryRouter>
    </QueryClientProvider>
  )
  const { rerender } = render(page(given))
  const chat = getUserResource(client, createOpenConversations, 'u').getPageChat('p', { projectId: 'p' })
  const read = () => {
    const { model, effort, disabledTools } = chat.getState()
    return { model, effort, disabledTools }
  }
  return {
    read,
    choose: (choice: Choice) => chat.choose(choice),
    change: (project: Partial<ProjectSummary>) => rerender(page({ ...given, ...project })),
  }
}

it('a chat follows the defaults of its project until the user chooses, and each choice stays', () => {
  const { read, choose, change } = open()
  expect(read()).toEqual({ model: 'a', effort: undefined, disabledTools: [] })
  change({ model: 'b', effort: 'low' })
  expect(read()).toMatchObject({ model: 'b', effort: 'low' })
  choose({ model: 'own', effort: undefined })
  change({ model: 'b', effort: 'low', disabled_tools: [web] })
  expect(read()).toEqual({ model: 'own', effort: undefined, disabledTools: [web] })
  choose({ disabledTools: [] })
  change({ model: 'c', disabled_tools: [] })
  change({ model: 'd', disabled_tools: [web] })
  expect(read()).toEqual({ model: 'own', effort: undefined, disabledTools: [] })
})

it('a chat takes the new model of its project after a model that is not offered was dropped', () => {
  const { read, choose, change } = open()
  choose({ model: undefined, effort: undefined })
  change({ model: 'b' })
  expect(read().model).toBe('b')
})

it('without a model of the project a chat begins with the one that was used last, and keeps it', () => {
  rememberModel({ model: 'last' })
  const { read, change } = open()
  change({ model: undefined as never })
  expect(read().model).toBe('last')
  rememberModel({ model: 'elsewhere' })
  change({ model: undefined as never, name: 'Paris' })
  expect(read().model).toBe('last')
})

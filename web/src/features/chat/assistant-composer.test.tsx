import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { expect, it } from 'vitest'
import type { Assistant } from '#shared/contracts/assistants.ts'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { getUserResource } from '../../lib/actions/user-resources.ts'
import { AssistantComposer } from './assistant-composer.tsx'
import { createOpenConversations } from './state/conversations.ts'

const first: Assistant = {
  id: 'a',
  name: 'Ada',
  description: '',
  starters: [],
  version: 1,
  published_at: '',
  mine: false,
  publisher: { name: 'Mika' },
  tools: [],
  model: 'small',
}

it('an empty chat follows the newest version of its assistant, and what the user has chosen stays', () => {
  fakeApi({})
  const client = new QueryClient()
  const page = (assistant: Assistant) => (
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <AssistantComposer
          userId="u"
          readConnections={() => undefined}
          savesConversations
          assistant={assistant}
        />
      </MemoryRouter>
    </QueryClientProvider>
  )
  const { rerender } = render(page(first))
  const chat = getUserResource(client, createOpenConversations, 'u').getPageChat('a', {})
  expect(chat.getState()).toMatchObject({ model: 'small', assistant: { name: 'Ada' } })
  rerender(page({ ...first, name: 'Ada 2', model: 'large', effort: 'low' }))
  expect(chat.getState()).toMatchObject({ model: 'large', effort: 'low', assistant: { name: 'Ada 2' } })
  chat.choose({ model: 'own', effort: undefined })
  rerender(page({ ...first, model: 'huge' }))
  expect(chat.getState()).toMatchObject({ model: 'own', assistant: { name: 'Ada' } })
})

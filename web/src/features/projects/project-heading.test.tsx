import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { expect, it } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import type { AccountRead } from '#shared/contracts/account.ts'
import type { Project } from '#shared/contracts/projects.ts'
import { accountQuery } from '../../lib/account/account-queries.ts'
import { assistantsQuery } from '../../lib/conversations/assistant-queries.ts'
import { ProjectHeading } from './project-heading.tsx'

it.each([
  ['that may publish', true, false, ['Publish']],
  ['that may not', false, false, []],
  ['that may not any more', false, true, ['Published']],
])('a member of a group %s can open the page for it', (_, publish, isPublished, links) => {
  fakeApi({})
  const client = new QueryClient()
  client.setQueryData(accountQuery.queryKey, { limits: publish ? {} : { publish } } as AccountRead)
  client.setQueryData(assistantsQuery.queryKey, {
    assistants: isPublished ? [{ id: 'a', project_id: 'p' }] : [],
  } as never)
  render(
    <MemoryRouter>
      <QueryClientProvider client={client}>
        <ProjectHeading project={{ id: 'p', name: 'Tax' } as Project} />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  expect(screen.queryAllByRole('link').map(({ textContent }) => textContent)).toEqual(links)
})

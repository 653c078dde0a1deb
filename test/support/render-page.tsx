import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { useState, type ReactNode } from 'react'
import type { ToolsAllowed } from '#shared/contracts/admin.ts'
import { accountQuery } from '../../web/src/lib/account/account-queries.ts'
import { MemoryRouter } from './memory-router.tsx'
import { Routes } from '../../web/src/lib/navigation/router.tsx'

/** Renders inside a fresh cache and a router with a main screen to go to. */
export function renderPage(element: ReactNode, path = '/integrations') {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const view = render(
    <QueryClientProvider client={client}>
      <MemoryRouter path={path}>
        <Routes pages={{ '/': <p>main screen</p>, '*': element }} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  return { client, ...view }
}

/** The account of a user whose groups allow only so many tools. */
export function limitTools(client: QueryClient, tools: ToolsAllowed): void {
  client.setQueryData(accountQuery.queryKey, {
    profile: { display_name: 'Mika', avatar_id: null },
    settings: { keep_conversations: true, store_uploads: true, theme: null },
    limits: { tools },
  })
}

/** What a part of the page needs around it, as the `wrapper` of `render`. */
export function PageProviders({ children }: { children: ReactNode }) {
  const [client] = useState(() => new QueryClient())
  return (
    <QueryClientProvider client={client}>
      <MemoryRouter>{children}</MemoryRouter>
    </QueryClientProvider>
  )
}

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter, Route, Routes } from 'react-router'
import type { RouteName } from '#shared/routes.ts'
import type { callApi } from '../../lib/call-api.ts'

export interface Call {
  params?: Record<string, string>
  query?: Record<string, string | number>
  body?: Record<string, unknown>
}

/** What an API of these tests answers, by route; what is not there answers with nothing. */
export type Answers = Partial<Record<RouteName, (call: Call) => unknown>>

/** A `callApi` of these answers that keeps what it was asked. */
export function answering(answers: Answers) {
  const asked: [RouteName, Call][] = []
  const call = (async (name: RouteName, input: Call) => {
    asked.push([name, input])
    return answers[name]?.(input)
  }) as unknown as typeof callApi
  return { call, asked, callsOf: (name: RouteName) => asked.filter(([n]) => n === name).map(([, c]) => c) }
}

/** Renders inside a fresh cache and a router with a main screen to go to. */
export function renderPage(element: ReactNode, path = '/integrations') {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const view = render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[path]}>
        <Routes>
          <Route path="/" element={<p>main screen</p>} />
          <Route path="*" element={element} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  )
  return { client, ...view }
}

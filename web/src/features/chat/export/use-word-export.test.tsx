import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useActions } from '../../../lib/actions/actions.ts'
import { closeUserResources } from '../../../lib/actions/user-resources.ts'
import { useWordExport } from './use-word-export.ts'

const click = vi.fn<() => void>()
beforeEach(() => {
  click.mockReset()
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(click)
  // jsdom has none
  URL.createObjectURL = () => 'blob:test'
})
afterEach(() => Reflect.deleteProperty(URL, 'createObjectURL'))

it.each([
  ['is downloaded', { signsOut: false }, 1],
  ['is not downloaded after its user has signed out', { signsOut: true }, 0],
])('a document %s', async (_, { signsOut }, downloads) => {
  const client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(() => ({ start: useWordExport(), actions: useActions() }), { wrapper })
  result.current.start('r1', ({ exportReplyAsWord }) => {
    if (signsOut) closeUserResources(client)
    return exportReplyAsWord({ content: 'Text', attachments: [], tool_calls: [] })
  })
  await vi.waitFor(() => expect(result.current.actions.running.getState().size).toBe(0))
  expect(click).toHaveBeenCalledTimes(downloads)
})

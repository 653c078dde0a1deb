import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useSubmit } from './use-submit.ts'

it('sends what the form shows when it is busy, also if a program has filled it in just before', async () => {
  const send = vi.fn<(value: string) => Promise<void>>(async () => undefined)
  const { result, rerender } = renderHook(({ value }) => useSubmit(() => send(value)), {
    initialProps: { value: '' },
  })
  act(() => result.current.submit())
  rerender({ value: 'mine-alone-2026' })
  await waitFor(() => expect(send.mock.calls).toEqual([['mine-alone-2026']]))
  await waitFor(() => expect(result.current.isBusy).toBe(false))
})

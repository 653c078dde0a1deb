import { act, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ErrorBoundary } from './error-boundary.tsx'

function Throws({ when }: { when: boolean }) {
  if (when) throw new Error('broken')
  return <p>Fine</p>
}
const takeErrorCount = () => {
  const { calls } = vi.spyOn(console, 'error').mock
  return calls.splice(0).length
}

it('another key renders the children again, the same one does not', async () => {
  const show = (resetKey: string, when: boolean) => (
    <ErrorBoundary resetKey={resetKey} fallback={() => <p>Failure</p>}>
      <Throws when={when} />
    </ErrorBoundary>
  )
  const { rerender } = render(show('one', true))
  await screen.findByText('Failure')
  rerender(show('one', false))
  expect(screen.queryByText('Fine')).toBeNull()
  rerender(show('two', false))
  await screen.findByText('Fine')
  expect(takeErrorCount()).toBe(1)
})

it('children that break in the update that changes the key are reported once', async () => {
  const show = (resetKey: string, when: boolean) => (
    <ErrorBoundary resetKey={resetKey} fallback={() => <p>Failure</p>}>
      <Throws when={when} />
    </ErrorBoundary>
  )
  const { rerender } = render(show('one', false))
  rerender(show('two', true))
  await screen.findByText('Failure')
  expect(takeErrorCount()).toBe(1)
})

it.each([new Error('broken'), null])(
  'tells the failure what was thrown, even if that is nothing: %s',
  async (broken) => {
    const seen: unknown[] = []
    let retry = () => {}
    let isBroken = true
    const Breaking = () => {
      // oxlint-disable-next-line typescript/only-throw-error -- libraries do
      if (isBroken) throw broken
      return <p>Fine</p>
    }
    render(
      <ErrorBoundary
        fallback={(failure) => {
          seen.push(failure.error)
          retry = failure.retry
          return <p>Failure</p>
        }}
      >
        <Breaking />
      </ErrorBoundary>,
    )
    await screen.findByText('Failure')
    expect(seen).toContain(broken)
    isBroken = false
    act(() => retry())
    await screen.findByText('Fine')
    expect(takeErrorCount()).toBe(1)
  },
)

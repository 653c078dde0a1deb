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

it('renders the children again only when the reset key changes', async () => {
  const renderBoundary = (resetKey: string, when: boolean) => (
    <ErrorBoundary resetKey={resetKey} fallback={() => <p>Failure</p>}>
      <Throws when={when} />
    </ErrorBoundary>
  )
  const { rerender } = render(renderBoundary('one', true))
  await screen.findByText('Failure')
  rerender(renderBoundary('one', false))
  expect(screen.queryByText('Fine')).toBeNull()
  rerender(renderBoundary('two', false))
  await screen.findByText('Fine')
  expect(takeErrorCount()).toBe(1)
})

it('reports children once that throw in the update that changes the reset key', async () => {
  const renderBoundary = (resetKey: string, when: boolean) => (
    <ErrorBoundary resetKey={resetKey} fallback={() => <p>Failure</p>}>
      <Throws when={when} />
    </ErrorBoundary>
  )
  const { rerender } = render(renderBoundary('one', false))
  rerender(renderBoundary('two', true))
  await screen.findByText('Failure')
  expect(takeErrorCount()).toBe(1)
})

it.each([new Error('broken'), null])(
  'passes the thrown value to the fallback, even if it is null: %s',
  async (thrownValue) => {
    const shownErrors: unknown[] = []
    let retry = () => {}
    let isBroken = true
    const Breaking = () => {
      // oxlint-disable-next-line typescript/only-throw-error -- libraries do
      if (isBroken) throw thrownValue
      return <p>Fine</p>
    }
    render(
      <ErrorBoundary
        fallback={(failure) => {
          shownErrors.push(failure.error)
          retry = failure.retry
          return <p>Failure</p>
        }}
      >
        <Breaking />
      </ErrorBoundary>,
    )
    await screen.findByText('Failure')
    expect(shownErrors).toContain(thrownValue)
    isBroken = false
    act(() => retry())
    await screen.findByText('Fine')
    expect(takeErrorCount()).toBe(1)
  },
)

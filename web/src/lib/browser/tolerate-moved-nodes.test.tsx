import { act, render, screen } from '@testing-library/react'
import { onTestFinished, expect, it } from 'vitest'
import { tolerateMovedNodes } from './tolerate-moved-nodes.ts'

/** Texts beside parts that come and go. */
const Results = ({ count, isLoading = false }: { count: number; isLoading?: boolean }) => (
  <p data-testid="results">
    {isLoading && <b>Loading</b>}
    {count > 0 && 'Some '}
    results
    {count > 1 && <i>and more</i>}
  </p>
)

const listTexts = (parent: Element) =>
  Array.from(parent.childNodes).filter((node): node is Text => node instanceof Text)

function wrapTexts(parent: Element): void {
  for (const text of listTexts(parent)) {
    const font = document.createElement('font')
    text.replaceWith(font)
    font.append(text)
  }
}

/** As Chrome does: the texts of React are no longer in the page. */
function replaceTexts(parent: Element): void {
  for (const text of listTexts(parent)) {
    const font = document.createElement('font')
    font.textContent = `‹${text.data.trim()}›`
    text.replaceWith(font)
  }
}

it('parts come and go beside texts that a translation has wrapped, in their order', () => {
  onTestFinished(tolerateMovedNodes())
  const { rerender, unmount } = render(<Results count={1} />)
  const results = screen.getByTestId('results')
  wrapTexts(results)
  act(() => rerender(<Results count={1} isLoading />))
  expect(results.textContent).toBe('LoadingSome results')
  act(() => rerender(<Results count={0} />))
  expect(results.textContent).toBe('results')
  act(() => rerender(<Results count={2} />))
  expect(results.textContent).toBe('Some resultsand more')
  unmount()
  expect(results.isConnected).toBe(false)
})

it('parts come and go beside texts that a translation has replaced', () => {
  onTestFinished(tolerateMovedNodes())
  const { rerender } = render(<Results count={2} />)
  const results = screen.getByTestId('results')
  replaceTexts(results)
  act(() => rerender(<Results count={0} isLoading />))
  expect(results.textContent).toContain('Loading')
  expect(results.textContent).toContain('‹results›')
  act(() => rerender(<Results count={0} />))
  expect(results.textContent).not.toContain('Loading')
})

it('what is not moved is changed as ever', () => {
  onTestFinished(tolerateMovedNodes())
  const parent = document.createElement('div')
  const [first, second] = [document.createElement('a'), document.createElement('b')]
  expect(parent.insertBefore(second, null)).toBe(second)
  expect(parent.insertBefore(first, second)).toBe(first)
  expect(parent.innerHTML).toBe('<a></a><b></b>')
  expect(parent.removeChild(first)).toBe(first)
  expect(parent.innerHTML).toBe('<b></b>')
})

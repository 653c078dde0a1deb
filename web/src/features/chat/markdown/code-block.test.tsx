import { render } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { CodeBlock } from './code-block.tsx'

it('each of many blocks is highlighted, also when it is rendered again', async () => {
  const blocks = (isMemoized: boolean) =>
    Array.from({ length: 130 }, (_, index) => (
      // another property renders the memoised block again
      <CodeBlock key={index} code={`const a = ${index}`} language="ts" isComplete {...{ isMemoized }} />
    ))
  const { container, rerender } = render(blocks(true))
  const countHighlighted = () => container.querySelectorAll('.text-code-keyword').length
  await vi.waitFor(() => expect(countHighlighted()).toBe(130))
  rerender(blocks(false))
  expect(countHighlighted()).toBe(130)
})

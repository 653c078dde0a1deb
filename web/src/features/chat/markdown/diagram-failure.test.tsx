import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { DiagramFailureNote } from './diagram-failure.tsx'

it.each([
  [{ line: 2, reason: 'why' }, 'a\n b \n', 'b'],
  [{ line: 2, reason: 'why' }, 'a\n\nb', 'why'],
  [{ line: 9 }, 'a', 'a'],
  [{ line: 3, reason: 'why' }, 'a\n', 'a'],
  [{ line: 2 }, '', undefined],
  [{ reason: 'why' }, 'a', 'why'],
])('the failure %j of %j shows %j', (failure, source, shown) => {
  const { container } = render(<DiagramFailureNote failure={failure} source={source} />)
  expect(container.querySelector('code')?.textContent).toBe(shown)
})

it.each([
  // Mermaid names the line behind the last one for what is never closed
  [{ line: 3 }, 'flowchart LR\n  A[Start --> B', 'Line 2 cannot be read:'],
  [
    { line: 4, found: 'end' },
    'flowchart LR\n  A[Start --> B\n\n',
    'In line 2, “\u2066end\u2069” is not expected:',
  ],
  [{ line: 2 }, ' \n', undefined],
])('the failure %j of %j names a line that is there', (failure, source, sentence) => {
  render(<DiagramFailureNote failure={failure} source={source} />)
  expect(screen.queryByText(/[Ll]ine /)?.textContent).toBe(sentence)
})

import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { DiagramFailureNote } from './diagram-failure.tsx'

it.each([
  [{ line: 2, reason: 'why' }, 'a\n b \n', 'b'],
  [{ line: 2, reason: 'why' }, 'a\n\nb', 'why'],
  [{ line: 9 }, 'a', undefined],
  [{ reason: 'why' }, 'a', 'why'],
])('the failure %j of %j shows %j', (failure, source, shown) => {
  const { container } = render(<DiagramFailureNote failure={failure} source={source} />)
  expect(container.querySelector('code')?.textContent).toBe(shown)
})

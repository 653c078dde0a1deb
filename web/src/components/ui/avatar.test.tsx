import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Avatar } from './avatar.tsx'

it('shows the image, or the initials where there is none', () => {
  const { container, rerender } = render(<Avatar initials="MK" imageUrl={undefined} />)
  expect([container.textContent, container.querySelector('img')]).toEqual(['MK', null])
  rerender(<Avatar initials="MK" imageUrl="blob:picture" />)
  expect([container.textContent, container.querySelector('img')?.src]).toEqual(['', 'blob:picture'])
})

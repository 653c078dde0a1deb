import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { UserBubble } from './user-bubble.tsx'

it.each([
  ['short lines', 'A line\n'.repeat(13), false],
  ['many lines', 'A line\n'.repeat(20), true],
  ['a short paragraph', 'word '.repeat(100), false],
  ['a long paragraph', 'word '.repeat(250), true],
  ['a short paragraph in Chinese', '文'.repeat(300), false],
  ['a long paragraph in Chinese, whose letters are wide', '文'.repeat(600), true],
])('collapses a text that takes many lines: %s', (_, text, isCollapsed) => {
  render(<UserBubble text={text} />)
  expect(screen.queryByRole('button', { name: 'Show more' }) !== null).toBe(isCollapsed)
})

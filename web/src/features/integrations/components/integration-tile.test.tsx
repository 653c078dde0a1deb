import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { IntegrationTile } from './integration-tile.tsx'

it.each([
  ['/icons/mail.svg', true],
  ['data:image/png;base64,AA', true],
  ['//evil.example/x.png', false],
  // browsers read `/\` as `//`
  ['/\\evil.example/x.png', false],
  ['https://evil.example/x.png', false],
])('shows the icon %s: %s', (icon, isShown) => {
  const { container } = render(<IntegrationTile name="Mail" icon={icon} />)
  expect(container.querySelector('img') !== null).toBe(isShown)
})

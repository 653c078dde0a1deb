import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { IntegrationTile, logos } from './integration-tile.tsx'

it.each([
  ['/icons/mail.svg', true],
  ['github', true],
  ['slack', false],
  ['data:image/png;base64,AA', true],
  ['//evil.example/x.png', false],
  // browsers read `/\` as `//`
  ['/\\evil.example/x.png', false],
  ['https://evil.example/x.png', false],
])('shows the icon %s: %s', (icon, isShown) => {
  const { container } = render(<IntegrationTile name="Mail" icon={icon} />)
  expect(container.querySelector('img') !== null).toBe(isShown)
})

it('knows each logo that is there', () => {
  const files = Object.keys(import.meta.glob('../../../../public/logos/*.svg'))
  expect(new Set(files.map((path) => /(\w+)\.svg$/.exec(path)?.[1]))).toEqual(logos)
})

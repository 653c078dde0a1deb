import { render, screen } from '@testing-library/react'
import { MemoryRouter } from '../../../test/support/memory-router.tsx'
import { expect, it } from 'vitest'
import { NotFoundPage } from './not-found-page.tsx'

it('NAV-07 NAV-08 says that the page does not exist and links home', () => {
  render(
    <MemoryRouter>
      <NotFoundPage />
    </MemoryRouter>,
  )
  expect(screen.getByRole('heading', { name: 'Oops! Page not found' })).toBeDefined()
  expect(screen.getByRole('link', { name: 'Return to Home' }).getAttribute('href')).toBe('/')
  expect(document.title).toBe('Page not found - Juno')
})

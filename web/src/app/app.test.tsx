import { render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import { App } from './app.tsx'

vi.mock('../components/ui/toaster.tsx', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})
vi.mock('../features/auth/auth-provider.tsx', () => ({
  AuthProvider: ({ children }: { children: ReactNode }) => children,
}))
vi.mock('./routes.tsx', () => ({ AppRoutes: () => <p>The page</p> }))

it('keeps the page when the connection is lost before the toasts have loaded', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  render(<App />)
  await waitFor(() => expect(errors).toHaveBeenCalled())
  expect(screen.getByText('The page')).toBeDefined()
  errors.mockClear()
})

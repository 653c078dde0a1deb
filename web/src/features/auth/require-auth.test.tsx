import { render, screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router'
import { expect, it } from 'vitest'
import { AuthContext, type AuthState } from './auth-context.ts'
import { RequireAuth } from './require-auth.tsx'

const user = { sub: 'u1', email: 'mika@x.example', fullName: 'Mika' }
const noop = async () => undefined

function CurrentLocation() {
  const { pathname, state } = useLocation()
  return <p>{JSON.stringify({ pathname, state })}</p>
}

function open(state: AuthState) {
  render(
    <AuthContext value={{ state, refresh: noop, expireSignIn: noop, signOut: noop }}>
      <MemoryRouter initialEntries={['/?c=abc']}>
        <Routes>
          <Route
            path="/"
            element={<RequireAuth>{({ fullName }) => <p>Page of {fullName}</p>}</RequireAuth>}
          />
          <Route path="/auth" element={<CurrentLocation />} />
        </Routes>
      </MemoryRouter>
    </AuthContext>,
  )
}

it('NAV-10 DEC-015 shows only a loading screen until the session has been read', () => {
  open({ status: 'loading' })
  expect(screen.getByRole('status').textContent).toBe('Loading')
  expect(screen.queryByText(/Page of/)).toBeNull()
})

it('NAV-11 shows the page to a signed-in user', () => {
  open({ status: 'signed-in', user })
  expect(screen.getByText('Page of Mika')).toBeDefined()
})

it('NAV-11 does not render the page for a signed-out visitor', () => {
  open({ status: 'signed-out', isByUser: false })
  expect(screen.queryByText(/Page of/)).toBeNull()
})

it('NAV-09 DEC-016 redirects a signed-out visitor to /auth, and remembers the page', () => {
  open({ status: 'signed-out', isByUser: false })
  expect(screen.getByText(/"pathname":"\/auth"/)).toBeDefined()
  expect(screen.getByText('{"pathname":"/auth","state":{"from":"/?c=abc"}}')).toBeDefined()
})

it('DEC-031 does not remember the page of a user who signed out', () => {
  open({ status: 'signed-out', isByUser: true })
  expect(screen.getByText('{"pathname":"/auth","state":null}')).toBeDefined()
})

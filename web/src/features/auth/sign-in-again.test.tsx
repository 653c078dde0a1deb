import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { use } from 'react'
import { expect, it } from 'vitest'
import { PageProviders } from '../../../../test/support/render-page.tsx'
import { RecentSignInContext } from '../../lib/sign-in/recent-sign-in.ts'
import { SignInAgain } from './sign-in-again.tsx'

const results: boolean[] = []

function Asker() {
  const requestSignIn = use(RecentSignInContext)
  return (
    <button onClick={() => void requestSignIn().then((hasSignedIn) => results.push(hasSignedIn))}>act</button>
  )
}

it('two actions that need a sign-in at the same time share one dialog, and both go on after it', async () => {
  const user = { sub: 'u', email: 'ann@example.com', fullName: 'Ann', provider: 'Google' }
  render(
    <>
      <Asker />
      <SignInAgain user={user} />
    </>,
    { wrapper: PageProviders },
  )
  const button = screen.getByRole('button', { name: 'act' })
  fireEvent.click(button)
  fireEvent.click(button)
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(results).toEqual([false, false]))
  // a later one asks again
  await act(async () => fireEvent.click(button))
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(results).toHaveLength(3))
})

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../test/support/render-page.tsx'
import { accountQuery } from '../../lib/account/account-queries.ts'
import { ApiError, getErrorMessage, NetworkError } from '../../lib/api/api-errors.ts'
import { InstructionsCard } from './instructions-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { showToast } from '../../components/ui/toast.ts'

vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

function Cards() {
  const queryClient = useQueryClient()
  const { data } = useQuery(accountQuery)
  return (
    data && (
      <>
        <ProfileCard account={data} email="ann@example.org" />
        <InstructionsCard settings={data.settings} />
        <button onClick={() => void queryClient.invalidateQueries({ queryKey: accountQuery.queryKey })}>
          Come back
        </button>
      </>
    )
  )
}

/** An account that has changed elsewhere since the page has loaded it. */
async function open() {
  let name = 'Ann'
  let instructions = 'Use metric units.'
  let isOffline = false
  const read = () => ({
    profile: { display_name: name, avatar_id: null },
    settings: { keep_conversations: true, store_uploads: true, theme: null, instructions },
  })
  const refuse = (): never => {
    throw new ApiError({ status: 409, code: 'changed_elsewhere', userMessage: 'Compare.' })
  }
  const api = fakeApi({
    'account.read': () => {
      if (isOffline) throw new NetworkError()
      return read()
    },
    'account.save': ({ body }) => {
      if (body.display_name_seen !== name) refuse()
      name = body.display_name ?? name
      return read()
    },
    'account.settings': ({ body }) => {
      if (body.instructions_seen !== instructions) refuse()
      instructions = body.instructions ?? instructions
      return read()
    },
  })
  renderPage(<Cards />)
  await screen.findByText('Your Profile')
  return {
    api,
    changeElsewhere: () => {
      name = 'Annie'
      instructions = 'Answer in French.'
    },
    comeBack: () => fireEvent.click(screen.getByText('Come back')),
    goOffline: () => {
      isOffline = true
    },
    getStored: () => [name, instructions],
  }
}

describe.each([
  ['the name', /What should Juno call you/, 'Save Changes', ['Ann', 'Annie', 'Anna'], 0],
  [
    'instructions',
    /know about you/,
    'Save instructions',
    ['Use metric units.', 'Answer in French.', 'Be brief.'],
    1,
  ],
] as const)('%s, changed in another tab', (_, label, save, [before, newer, typed], index) => {
  const getField = () => screen.getByLabelText<HTMLInputElement>(label)
  const getSave = () => screen.getByRole<HTMLButtonElement>('button', { name: save })
  const type = () => fireEvent.change(getField(), { target: { value: typed } })
  const findNotice = () => screen.findByRole('alert')

  it('replaces a text that nobody edits here, and leaves nothing to save', async () => {
    const page = await open()
    expect(getField().value).toBe(before)
    page.changeElsewhere()
    page.comeBack()
    await waitFor(() => expect(getField().value).toBe(newer))
    expect(getSave().disabled).toBe(true)
  })

  it('keeps what is being typed, shows the newer text, and replaces it only then', async () => {
    const page = await open()
    type()
    page.changeElsewhere()
    page.comeBack()
    expect((await findNotice()).textContent).toContain(newer)
    expect(getField().value).toBe(typed)
    fireEvent.click(getSave())
    await waitFor(() => expect(page.getStored()[index]).toBe(typed))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    expect(getSave().disabled).toBe(true)
  })

  it('does not save over a text that was not seen, and offers it', async () => {
    const page = await open()
    page.changeElsewhere()
    type()
    fireEvent.click(getSave())
    expect((await findNotice()).textContent).toContain(newer)
    expect(page.getStored()[index]).toBe(newer)
    fireEvent.click(screen.getByRole('button', { name: 'Use the newer version' }))
    expect(getField().value).toBe(newer)
    expect(getSave().disabled).toBe(true)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('says that it was not saved, if the newer text cannot be loaded', async () => {
    vi.mocked(showToast).mockReset()
    const page = await open()
    page.changeElsewhere()
    page.goOffline()
    type()
    fireEvent.click(getSave())
    await waitFor(() => {
      const { description, error } = vi.mocked(showToast).mock.lastCall?.[2] ?? {}
      expect(description ?? getErrorMessage(error)).toBe('Compare.')
    })
    expect(getField().value).toBe(typed)
  })

  it('a save that changed the text elsewhere to what is typed here is no conflict', async () => {
    const page = await open()
    page.changeElsewhere()
    fireEvent.change(getField(), { target: { value: newer } })
    page.comeBack()
    await waitFor(() => expect(getSave().disabled).toBe(true))
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

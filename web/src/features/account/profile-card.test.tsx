import { useQuery } from '@tanstack/react-query'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { emptyDataCounts } from '#shared/contracts/account.ts'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../test/support/render-page.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { accountQuery } from '../../lib/account/account-queries.ts'
import { NetworkError } from '../../lib/api/api-errors.ts'
import { PrivacyCard } from './privacy-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { isLeaveGuarded } from '../../lib/input/leave-guard.ts'

vi.mock('../../lib/browser/crop-picture.ts', async (load) => ({
  ...(await load<object>()),
  cropPicture: async () => new Blob(['picture']),
}))
vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const avatarId = '0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a'
const account = {
  profile: { display_name: 'Ann', avatar_id: null },
  settings: { keep_conversations: true, store_uploads: true, theme: null },
}

/** Profile and privacy of the account that the cache has, as the settings show them. */
function Cards() {
  const { data } = useQuery(accountQuery)
  return (
    data && (
      <>
        <ProfileCard account={data} email="ann@example.org" />
        <PrivacyCard account={data} email="ann@example.org" onOpenFiles={() => undefined} />
      </>
    )
  )
}

/** @param failure of every request that changes something */
async function open(failure?: Promise<never>, avatar?: Promise<{ avatar_id: string }>) {
  const api = fakeApi({
    'account.read': () => account,
    'account.storedData': () => emptyDataCounts,
    'account.save': () =>
      failure ?? { ...account, profile: { display_name: 'Captain Ahab', avatar_id: null } },
    'account.uploadAvatar': () => avatar ?? { avatar_id: avatarId },
    'account.settings': ({ body }) =>
      failure ?? {
        ...account,
        settings: { ...account.settings, store_uploads: body.store_uploads ?? true },
      },
  })
  const { unmount } = renderPage(<Cards />)
  await screen.findByText('Your Profile')
  return { ...api, unmount }
}

const getNameField = () => screen.getByLabelText<HTMLInputElement>('What should Juno call you?')
const getSaveButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save Changes' })
const getSwitch = (name: string) => screen.getByRole('switch', { name })
const isOn = (name: string) => getSwitch(name).getAttribute('aria-checked')

beforeEach(() => {
  vi.mocked(showToast).mockReset()
})

it('SET-08 SET-09 asks for the name, and has nothing to save at first', async () => {
  await open()
  expect(getNameField().placeholder).toBe('Your display name')
  expect(getNameField().value).toBe('Ann')
  expect(getSaveButton().disabled).toBe(true)
})

it('SET-10 SET-22 saves the name, and shows it as it is stored', async () => {
  const api = await open()
  fireEvent.change(getNameField(), { target: { value: '  Captain\u202E Ahab ' } })
  fireEvent.click(getSaveButton())
  await waitFor(() =>
    expect(vi.mocked(showToast).mock.calls).toEqual([
      ['success', 'Profile updated!', { description: 'Your changes have been saved successfully.' }],
    ]),
  )
  expect(api.requestsTo('account.save')).toEqual([
    { body: { display_name: '  Captain\u202E Ahab ', display_name_seen: 'Ann' } },
  ])
  expect(getNameField().value).toBe('Captain Ahab')
  expect(getSaveButton().disabled).toBe(true)
  expect(isLeaveGuarded()).toBe(false)
})

it('a picture that is uploaded while another page is shown waits there to be saved', async () => {
  const answer = Promise.withResolvers<{ avatar_id: string }>()
  const { unmount } = await open(undefined, answer.promise)
  const input = document.querySelector('input[type=file]') as HTMLInputElement
  fireEvent.change(input, { target: { files: [new File(['x'], 'me.png')] } })
  const picture = await screen.findByRole('button', { name: /change picture/, busy: true })
  expect(picture).toBeTruthy()
  unmount()
  await act(async () => answer.resolve({ avatar_id: avatarId }))
  await waitFor(() =>
    expect(showToast).toHaveBeenCalledWith('success', 'Avatar uploaded!', expect.anything()),
  )
  const api = await open()
  fireEvent.click(getSaveButton())
  await waitFor(() => expect(api.requestsTo('account.save')).toEqual([{ body: { avatar_id: avatarId } }]))
})

it('SET-11 SET-12 SET-13 has two switches, both on, which are stored', async () => {
  const api = await open()
  expect(screen.getByRole('heading', { name: 'Privacy & Your Digital Footprint' })).toBeTruthy()
  expect(screen.getAllByRole('switch')).toHaveLength(2)
  expect([isOn('Keep conversations'), isOn('Store uploads')]).toEqual(['true', 'true'])
  fireEvent.click(getSwitch('Store uploads'))
  await waitFor(() =>
    expect(api.requestsTo('account.settings')).toEqual([{ body: { store_uploads: false } }]),
  )
  await waitFor(() => expect([isOn('Keep conversations'), isOn('Store uploads')]).toEqual(['true', 'false']))
})

it('SET-23 DEC-033 says when saving failed: the input stays, and a switch goes back', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  await open(promise)
  fireEvent.change(getNameField(), { target: { value: 'Ishmael' } })
  fireEvent.click(getSaveButton())
  fireEvent.click(getSwitch('Keep conversations'))
  await waitFor(() => expect(isOn('Keep conversations')).toBe('false'))
  reject(new NetworkError())
  const failed = [
    'error',
    'Update failed',
    { description: expect.any(String) as string, cause: expect.anything() as unknown },
  ]
  await waitFor(() => expect(vi.mocked(showToast).mock.calls).toEqual([failed, failed]))
  expect(getNameField().value).toBe('Ishmael')
  expect(getSaveButton().disabled).toBe(false)
  await waitFor(() => expect(isOn('Keep conversations')).toBe('true'))
})

it('a switch is saved once, and says that it failed also after its card has gone', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  const { requestsTo, unmount } = await open(promise)
  fireEvent.click(getSwitch('Store uploads'))
  await waitFor(() => expect(getSwitch('Store uploads').ariaBusy).toBe('true'))
  fireEvent.click(getSwitch('Store uploads'))
  await waitFor(() => expect(requestsTo('account.settings')).toHaveLength(1))
  unmount()
  await act(async () => reject(new NetworkError()))
  await waitFor(() =>
    expect(showToast).toHaveBeenCalledExactlyOnceWith('error', 'Update failed', expect.anything()),
  )
})

it('the field of the name is described by the address of the sign-in', async () => {
  await open()
  const id = getNameField().getAttribute('aria-describedby')
  expect(document.getElementById(id ?? '')?.textContent).toContain('ann@example.org')
})

it('a switch that is set while the profile is being saved stays as it was set', async () => {
  const stored = structuredClone({ ...account, settings: { ...account.settings, store_uploads: true } })
  const saving = Promise.withResolvers<void>()
  fakeApi({
    'account.read': () => account,
    'account.storedData': () => emptyDataCounts,
    'account.save': async () => {
      const response = structuredClone(stored)
      await saving.promise
      return response
    },
    'account.settings': ({ body }) => {
      stored.settings.store_uploads = body.store_uploads ?? true
      return structuredClone(stored)
    },
  })
  renderPage(<Cards />)
  await screen.findByText('Your Profile')
  fireEvent.change(getNameField(), { target: { value: 'Ahab' } })
  fireEvent.click(getSaveButton())
  fireEvent.click(getSwitch('Store uploads'))
  await act(async () => new Promise((resolve) => setTimeout(resolve)))
  await act(async () => saving.resolve())
  await waitFor(() => expect(getSwitch('Store uploads').ariaBusy).not.toBe('true'))
  await waitFor(() =>
    expect(showToast).toHaveBeenCalledWith('success', 'Profile updated!', expect.anything()),
  )
  expect(isOn('Store uploads')).toBe('false')
})

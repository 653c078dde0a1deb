import { afterEach, expect, it } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { accountQuery } from './account-queries.ts'
import { createQueryClient } from '../actions/query-client.ts'
import { getTheme, setTheme } from '../browser/theme.ts'

afterEach(() => {
  setTheme('system')
  localStorage.clear()
})

const readAccount = async (theme: 'dark' | 'light' | 'system' | null) => {
  fakeApi({
    'account.read': () => ({
      profile: { display_name: 'Ann', avatar_id: null },
      settings: { keep_conversations: true, store_uploads: true, theme },
    }),
  })
  await createQueryClient().fetchQuery(accountQuery)
}

it('whatever page reads the account shows its theme, unless another one was chosen in this browser', async () => {
  await readAccount('dark')
  expect(getTheme()).toBe('dark')
  await readAccount(null)
  expect(getTheme()).toBe('dark')
  await readAccount('system')
  expect(getTheme()).toBe('system')
  setTheme('light')
  await readAccount('dark')
  expect(getTheme()).toBe('light')
})

import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { fakeApi } from '../../../test/support/fake-api.ts'
import { accountQuery } from './account-queries.ts'
import { NetworkError } from './api-errors.ts'
import { saveSettings } from './save-settings.ts'

it('saves one change after the other, so that an older answer takes nothing away, also after a failure', async () => {
  const stored = { keep_conversations: true, store_uploads: true, theme: null }
  const started: string[] = []
  const reached = Promise.withResolvers<void>()
  const first = Promise.withResolvers<void>()
  fakeApi({
    'account.settings': async ({ body }) => {
      started.push(Object.keys(body).join())
      if (body.theme) throw new NetworkError(false)
      if (body.keep_conversations !== undefined) {
        reached.resolve()
        await first.promise
      }
      Object.assign(stored, body)
      return { profile: { display_name: 'Ann', avatar_id: null }, settings: { ...stored } }
    },
  })
  const client = new QueryClient()
  const failing = saveSettings(client, { theme: 'dark' })
  const saving = [
    saveSettings(client, { keep_conversations: false }),
    saveSettings(client, { store_uploads: false }),
  ]
  await expect(failing).rejects.toThrow(NetworkError)
  await reached.promise
  expect(started).toEqual(['theme', 'keep_conversations'])
  first.resolve()
  await Promise.all(saving)
  expect(client.getQueryData(accountQuery.queryKey)?.settings).toEqual({
    ...stored,
    keep_conversations: false,
    store_uploads: false,
  })
})

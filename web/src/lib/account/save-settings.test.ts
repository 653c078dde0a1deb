import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { accountQuery } from './account-queries.ts'
import { NetworkError } from '../api/api-errors.ts'
import { saveSettings } from './save-settings.ts'

it('saves one change after the other, so that an older answer takes nothing away, also after a failure', async () => {
  const stored = { keep_conversations: true, store_uploads: true, theme: null }
  const events: string[] = []
  fakeApi({
    'account.settings': async ({ body }) => {
      const [name = ''] = Object.keys(body)
      events.push(`${name} begins`)
      if (body.theme) throw new NetworkError()
      Object.assign(stored, body)
      const settings = { ...stored }
      // the answer to the first one is slow
      for (let turn = 0; turn < 5 && name === 'keep_conversations'; turn += 1)
        await new Promise((resolve) => setTimeout(resolve))
      events.push(`${name} ends`)
      return { profile: { display_name: 'Ann', avatar_id: null }, settings }
    },
  })
  const client = new QueryClient()
  const ends = await Promise.allSettled([
    saveSettings(client, { theme: 'dark' }),
    saveSettings(client, { keep_conversations: false }),
    saveSettings(client, { store_uploads: false }),
  ])
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(events).toEqual([
    'theme begins',
    'keep_conversations begins',
    'keep_conversations ends',
    'store_uploads begins',
    'store_uploads ends',
  ])
  const settings = client.getQueryData(accountQuery.queryKey)?.settings
  expect(settings).toEqual({ keep_conversations: false, store_uploads: false, theme: null })
})

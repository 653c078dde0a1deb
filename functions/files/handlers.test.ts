import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startInProcessFunctions } from '../../test/support/in-process-functions.ts'
import { invoke } from '../../test/support/invoke.ts'

const functions = await startInProcessFunctions()
afterAll(() => functions.close())
let handler: typeof import('./handlers.ts').handler
beforeAll(async () => {
  await functions.putGroups({
    readers: { uploads_per_day: 0 },
    small: { uploads_per_day: 2, storage_gb: 1 / 1024 },
    other: { storage_gb: 0 },
  })
  ;({ handler } = await import('./handlers.ts'))
})

async function createMember(...groups: string[]) {
  const headers = {
    Authorization: `Bearer ${await functions.issueToken(crypto.randomUUID(), { 'cognito:groups': groups })}`,
  }
  return {
    announce: async (size = 10) => {
      const body = { name: 'a.txt', type: 'text/plain', size }
      const { statusCode: status, body: response } = await invoke(handler, 'files.presign', { body, headers })
      return { status, ...response }
    },
    list: () => invoke(handler, 'files.list', { query: {}, headers }),
  }
}

describe('DEC-189 the limits of a group', () => {
  it('allow no uploads if there are none a day', async () => {
    const { announce } = await createMember('readers')
    expect(await announce()).toMatchObject({
      status: 429,
      code: 'too_many_uploads',
      error: 'Your account may not upload files. Please ask your administrator.',
    })
  })

  it('allow two uploads a day, whatever the factor of the rate limits, by the most generous group', async () => {
    const { announce } = await createMember('small', 'readers')
    expect([(await announce()).status, (await announce()).status]).toEqual([200, 200])
    expect(await announce()).toMatchObject({ status: 429, code: 'too_many_uploads' })
  })

  it('allow a megabyte in all, which the list of files shows', async () => {
    const { announce, list } = await createMember('small', 'other')
    expect(await announce(1_000_000)).toMatchObject({ status: 200 })
    expect(await announce(100_000)).toMatchObject({
      status: 413,
      code: 'storage_full',
      error: expect.stringContaining('of 1.0 MB') as string,
    })
    expect((await list()).body['storage']).toEqual({ used_bytes: 1_000_000, limit_bytes: 1_048_576 })
  })
})

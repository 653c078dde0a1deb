import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { credentialRepository } from '../../../functions/integrations/store/credential-repository.ts'
import { secretsManagerBackend } from '../../../functions/integrations/vault/secrets-manager.ts'
import { tableBackend } from '../../../functions/integrations/vault/table.ts'
import { unsealTokens, tokenContext } from '../../../functions/integrations/credentials/seal-tokens.ts'
import { orderBackends, vault, type VaultKind } from '../../../functions/integrations/vault/vault.ts'
import { factorRepository } from '../../../functions/mfa/factor-repository.ts'
import { secretContext } from '../../../functions/mfa/enrolment.ts'
import { type Sealer, sealer } from '../../../functions/platform/secrets/seal.ts'
import { openTestSecrets } from '../../../test/support/secrets.ts'
import { openTestTable } from '../../../test/support/table.ts'
import { vapidKey } from '../../../functions/push/vapid-key.ts'
import { findOrphans, removeOrphans, resealAll } from './tidy.ts'

const prefix = 'stage/vault'
const credentials = { apiKey: 'ntn_canary' }
const hourMs = 3_600_000

let table: Awaited<ReturnType<typeof openTestTable>>
let secrets: Awaited<ReturnType<typeof openTestSecrets>>
beforeEach(async () => {
  ;[table, secrets] = await Promise.all([openTestTable(), openTestSecrets()])
})
afterEach(() => Promise.all([table.close(), secrets.close()]))

const withKeys = (...lines: string[]) => sealer({ read: async () => lines.join('\n') }, 'name')
const buildBackends = (keySealer: Sealer) => ({
  secrets: secretsManagerBackend(secrets.client),
  table: tableBackend(table, keySealer),
})
const put = (sub: string, SK: string, fields: object) =>
  table.client.send(new PutCommand({ TableName: table.name, Item: { PK: `U#${sub}`, SK, ...fields } }))

describe('a sweep', () => {
  let backends: ReturnType<typeof buildBackends>
  beforeEach(() => {
    backends = buildBackends(withKeys('key'))
  })
  const store = (kind: VaultKind, sub: string) =>
    vault(orderBackends(kind, backends), prefix).store(sub, 'notion', credentials)
  const remove = (orphans: Awaited<ReturnType<typeof findOrphansAt>>) =>
    removeOrphans({ table, backends, report: () => undefined }, orphans)
  const findOrphansAt = (now: Date) => findOrphans({ table }, { client: secrets.client, prefix, now })

  it('DEC-086 finds values that no row names, in both backends, once they are older than an hour, and deletes only these', async () => {
    const sub = randomUUID()
    const namesInRows = { secrets: await store('secrets', sub), table: await store('table', sub) }
    await put(sub, 'C#notion', { secret_name: namesInRows.secrets })
    await put(sub, 'T#tool', { secret_name: namesInRows.table })
    const orphanNames = { secrets: await store('secrets', sub), table: await store('table', sub) }
    const nameOfOtherStage = `other-stage/vault/${sub}/notion/0123`
    await backends.secrets.put(sub, nameOfOtherStage, credentials)

    expect(await findOrphansAt(new Date(Date.now() + hourMs - 60_000))).toEqual([])
    const orphans = await findOrphansAt(new Date(Date.now() + hourMs + 60_000))
    expect(orphans.map(({ name }) => name).toSorted()).toEqual(
      [orphanNames.secrets, orphanNames.table].toSorted(),
    )

    expect(await remove(orphans)).toEqual({ done: 2, failed: 0 })
    expect(await remove(orphans)).toEqual({ done: 2, failed: 0 })
    expect(await backends.secrets.find(sub, orphanNames.secrets)).toBeUndefined()
    expect(await backends.table.find(sub, orphanNames.table)).toBeUndefined()
    expect(await backends.secrets.find(sub, namesInRows.secrets)).toEqual(credentials)
    expect(await backends.table.find(sub, namesInRows.table)).toEqual(credentials)
    expect(await backends.secrets.find(sub, nameOfOtherStage)).toEqual(credentials)
    expect(await findOrphansAt(new Date(Date.now() + hourMs + 60_000))).toEqual([])
  })

  it('reads more than one page of secrets, and leaves those alone whose names only look similar', async () => {
    const sub = randomUUID()
    const names = Array.from({ length: 101 }, (_, at) => `${prefix}/${sub}/notion/${at}`)
    for (const name of names) await backends.secrets.put(sub, name, credentials)
    const similarName = `${prefix}/odd`
    await backends.secrets.put('', similarName, credentials)
    const orphans = (await findOrphansAt(new Date(Date.now() + 2 * hourMs))).filter((one) => one.sub === sub)
    expect(orphans.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
    await remove(await findOrphansAt(new Date(Date.now() + 2 * hourMs)))
    expect(await backends.secrets.find('', similarName)).toEqual(credentials)
  })
})

describe('sealing again', () => {
  const oldKeySealer = withKeys('old')
  const bothKeysSealer = withKeys('new', 'old')
  const newKeySealer = withKeys('new')
  const tokens = { accessToken: 'access', refreshToken: 'refresh' }
  let sub: string
  let name: string

  beforeEach(async () => {
    sub = randomUUID()
    name = await vault(orderBackends('table', buildBackends(oldKeySealer)), prefix).store(
      sub,
      'a#b',
      credentials,
    )
    const sealed = await oldKeySealer.seal(JSON.stringify(tokens), tokenContext({ sub, mcpId: 'zoom' }, 'v1'))
    await put(sub, 'C#zoom', { version: 'v1', sealed, lease_owner: 'somebody' })
    const factor = { salt: 's', codes: new Set(['h']), mailName: 'm' }
    const secret = await oldKeySealer.seal('JBSW', secretContext(sub))
    await put(sub, 'MFA', { secret, ...factor })
    await put(sub, 'MFA#NEW', { secret, ...factor, ttl: 9_999_999_999 })
    await vapidKey(table, oldKeySealer).loadPublicKey()
  })

  it('INFRA-06 makes the new key sufficient for submitted credentials, tokens, second factors and the key of push messages, and can be repeated', async () => {
    const work = { table, report: () => undefined }
    expect(await resealAll(work, bothKeysSealer)).toEqual({ resealed: 5, left: 0 })
    expect(await resealAll(work, bothKeysSealer)).toEqual({ resealed: 0, left: 0 })
    expect(await tableBackend(table, newKeySealer).find(sub, name)).toEqual(credentials)
    const rows = await credentialRepository(table).list(sub)
    const unsealedTokens = [...rows.values()].map((row) =>
      unsealTokens(newKeySealer, { sub, mcpId: 'zoom' }, row),
    )
    expect(await Promise.all(unsealedTokens)).toMatchObject([tokens])
    const sign = await vapidKey(table, newKeySealer).openSigner('https://juno.example')
    expect(await sign?.('https://push.example')).toMatch(/^vapid t=/)
    const factors = factorRepository(table)
    for (const row of [await factors.find(sub), await factors.findPending(sub, Date.now())])
      expect(await newKeySealer.open(row?.secret ?? '', secretContext(sub))).toBe('JBSW')
  })

  it('never overwrites a concurrent change: refreshed tokens stay, and are left for the next run', async () => {
    const renewedTokens = await bothKeysSealer.seal('{}', tokenContext({ sub, mcpId: 'zoom' }, 'v2'))
    const racingSealer: Pick<Sealer, 'reseal'> = {
      async reseal(sealed, context) {
        const result = await bothKeysSealer.reseal(sealed, context)
        if (context.startsWith(`tokens|${sub}`))
          await put(sub, 'C#zoom', { version: 'v2', sealed: renewedTokens })
        if (context.startsWith(`typed|${sub}`)) await buildBackends(bothKeysSealer).table.remove(sub, name)
        return result
      },
    }
    const lines: string[] = []
    const { left } = await resealAll({ table, report: (line) => void lines.push(line) }, racingSealer)
    expect(left).toBe(2)
    expect(lines).toEqual(['2 could not be sealed again: it changed meanwhile'])
    expect(await credentialRepository(table).find(sub, 'zoom')).toMatchObject({
      version: 'v2',
      sealed: renewedTokens,
    })
    expect(await buildBackends(bothKeysSealer).table.find(sub, name)).toBeUndefined()
    expect(await resealAll({ table, report: () => undefined }, bothKeysSealer)).toEqual({
      resealed: 0,
      left: 0,
    })
  })
})

import { describe, expect, it, vi } from 'vitest'
import { openOAuthConnections } from '../../test/support/oauth-connections.ts'
import { parseForm } from '../../test/support/recording-server.ts'
import { storeCredentials } from './store-credentials.ts'

/** Disconnecting revokes the grant at the provider. */

const {
  advanceMinutes,
  captureOutput,
  connect,
  disconnect,
  getUser,
  harness,
  readCredential,
  readConnection,
  readTokens,
  removeCredential,
} = await openOAuthConnections()

describe('revoking a grant', () => {
  const takeRevocation = async () => {
    const [request, ...more] = harness.providers.takeRequests()
    expect(more).toEqual([])
    return request
  }

  it('uses the refresh token, with the app’s client id and secret', async () => {
    await connect('gmail')
    harness.providers.script('POST /gmail/revoke', { status: 200 })
    expect(await disconnect('gmail')).toBe(true)
    const request = await takeRevocation()
    expect(request).toMatchObject({
      method: 'POST',
      path: '/gmail/revoke',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(parseForm(request ?? { body: '' })).toEqual({
      token: 'refresh-1',
      client_id: 'my-app',
      client_secret: 'my-secret',
    })
    expect([await getUser().rows('C#'), await getUser().readVault()]).toEqual([[], []])
    expect(await readConnection('gmail')).toMatchObject({ status: 'disconnected', token_status: 'inactive' })
  })

  it('uses the access token if there is no refresh token, with the secret in a header if required', async () => {
    await connect('zoom', undefined, { refresh_token: undefined })
    harness.providers.script('POST /zoom/revoke', { status: 204 })
    expect(await disconnect('zoom')).toBe(true)
    const request = await takeRevocation()
    const basic = Buffer.from('my-app:my-secret').toString('base64')
    expect(request?.headers['authorization']).toBe(`Basic ${basic}`)
    expect(parseForm(request ?? { body: '' })).toEqual({ token: 'access-1' })
  })

  it('is done once for all connections of one OAuth client at Google, because it ends all of them', async () => {
    await connect('gmail')
    await connect('google-drive')
    await connect('google-calendar', { clientId: 'another-app', clientSecret: 'my-secret' })
    harness.providers.script('POST /google-calendar/revoke', { status: 200 })
    expect(await disconnect('google-calendar')).toBe(true)
    harness.providers.takeRequests()
    expect(await disconnect('gmail')).toBe(false)
    expect(await takeRevocation()).toBeUndefined()
    expect(await readCredential('gmail')).toBeUndefined()
    harness.providers.script('POST /google-drive/revoke', { status: 200 })
    expect(await disconnect('google-drive')).toBe(true)
    expect(await takeRevocation()).toMatchObject({ path: '/google-drive/revoke' })
  })

  it('DEC-186 is done for each connection through one app whose sign-ins are separate grants', async () => {
    await connect('salesforce')
    await connect('salesforce', undefined, { refresh_token: 'refresh-of-sandbox' }, 'sandbox')
    harness.providers.script('POST /salesforce/revoke', { status: 200 })
    expect(await disconnect('salesforce-sandbox')).toBe(true)
    expect(parseForm((await takeRevocation()) ?? { body: '' })).toMatchObject({ token: 'refresh-of-sandbox' })
    expect(await disconnect('salesforce')).toBe(true)
    expect(parseForm((await takeRevocation()) ?? { body: '' })).toMatchObject({ token: 'refresh-1' })
  })

  it.each([
    [{ ok: true, revoked: true }, true],
    [{ ok: true, revoked: false }, false],
    [{ ok: false, error: 'invalid_auth' }, false],
    [{}, false],
  ])('succeeds at Slack only when the response %j says so', async (body, isRevoked) => {
    await connect('slack')
    harness.providers.script('POST /slack/revoke', { body })
    expect(await disconnect('slack')).toBe(isRevoked)
    expect(await getUser().rows('C#')).toEqual([])
  })

  it.each(['slack', 'dropbox'])('uses the access token as authorization at %s', async (mcpId) => {
    await connect(mcpId)
    harness.providers.script(`POST /${mcpId}/revoke`, { body: { ok: true, revoked: true } })
    expect(await disconnect(mcpId)).toBe(true)
    expect(await takeRevocation()).toMatchObject({
      method: 'POST',
      path: `/${mcpId}/revoke`,
      headers: { authorization: 'Bearer access-1' },
      body: '',
    })
  })

  it('uses the access token at Zoom, which documents no other, although there is a refresh token', async () => {
    await connect('zoom')
    harness.providers.script('POST /zoom/revoke', { status: 200 })
    expect(await disconnect('zoom')).toBe(true)
    expect(parseForm((await takeRevocation()) ?? { body: '' })).toEqual({ token: 'access-1' })
  })

  it.each([
    ['dropbox', { authorization: 'Bearer access-2' }, ''],
    ['slack', { authorization: 'Bearer access-2' }, ''],
    ['zoom', {}, 'token=access-2'],
  ])('uses a new access token at %s when the old one has expired', async (mcpId, headers, body) => {
    await connect(mcpId, undefined, { expires_in: 60 })
    advanceMinutes(5)
    harness.scriptTokens(mcpId, { access_token: 'access-2', refresh_token: 'refresh-2' })
    harness.providers.script(`POST /${mcpId}/revoke`, { body: { ok: true, revoked: true } })
    expect(await disconnect(mcpId)).toBe(true)
    const [tokenRequest, revocation] = harness.providers.takeRequests()
    expect(parseForm(tokenRequest ?? { body: '' })).toMatchObject({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
    })
    expect(revocation).toMatchObject({ path: `/${mcpId}/revoke`, headers, body })
    expect(await getUser().rows('C#')).toEqual([])
  })

  it('uses the old access token when no new one can be had', async () => {
    await connect('dropbox', undefined, { expires_in: 60 })
    advanceMinutes(5)
    harness.scriptTokens('dropbox', {}, { status: 400, body: JSON.stringify({ error: 'invalid_grant' }) })
    harness.providers.script('POST /dropbox/revoke', { status: 401 })
    const output = captureOutput()
    expect(await disconnect('dropbox')).toBe(false)
    expect(output.logEntries()).toMatchObject([
      {
        level: 'warn',
        message: 'an access token could not be refreshed for its revocation',
        error: { name: 'OAuthError', message: 'invalid_grant' },
      },
    ])
    expect(harness.providers.takeRequests('/dropbox/revoke')).toMatchObject([
      { headers: { authorization: 'Bearer access-1' } },
    ])
    expect(await getUser().rows('C#')).toEqual([])
  })

  it.each([
    ['gmail', 'POST /gmail/revoke', 200],
    ['github', 'DELETE /github/revoke/my-app', 204],
  ])('needs no new access token at %s, which also revokes expired ones', async (mcpId, route, status) => {
    await connect(mcpId, undefined, { expires_in: 60 })
    advanceMinutes(5)
    harness.providers.script(route, { status })
    expect(await disconnect(mcpId)).toBe(true)
    expect((await takeRevocation())?.path).toContain('/revoke')
  })

  it('uses DELETE with the app’s client id and secret at GitHub', async () => {
    await connect('github', { clientId: 'my/app', clientSecret: 'my-secret' }, { refresh_token: undefined })
    harness.providers.script('DELETE /github/revoke/my%2Fapp', { status: 204 })
    expect(await disconnect('github')).toBe(true)
    const request = await takeRevocation()
    const basic = Buffer.from('my%2Fapp:my-secret').toString('base64')
    expect(request).toMatchObject({
      method: 'DELETE',
      headers: {
        authorization: `Basic ${basic}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: JSON.stringify({ access_token: 'access-1' }),
    })
  })

  it.each([
    ['gmail', 'POST', '/gmail/revoke', 400],
    ['gmail', 'POST', '/gmail/revoke', 300],
    ['gmail', 'POST', '/gmail/revoke', 599],
    ['slack', 'POST', '/slack/revoke', 204],
    ['github', 'DELETE', '/github/revoke/my-app', 200],
    ['gmail', 'POST', '/gmail/revoke', 307],
    ['slack', 'POST', '/slack/revoke', 307],
    ['github', 'DELETE', '/github/revoke/my-app', 307],
  ])(
    '%s has not confirmed it by %s %s with %i, which is not followed; the credential is deleted all the same',
    async (mcpId, method, path, status) => {
      await connect(mcpId)
      const headers = { location: `${harness.providers.url}/elsewhere` }
      harness.providers.script(`${method} ${path}`, { status, ...(status === 307 && { headers }) })
      expect(await disconnect(mcpId)).toBe(false)
      expect(harness.providers.takeRequests('/elsewhere')).toEqual([])
      expect([await getUser().rows('C#'), await getUser().readVault()]).toEqual([[], []])
    },
  )

  it('sends nothing to a provider without a revocation endpoint', async () => {
    await connect('jira')
    expect(await disconnect('jira')).toBe(false)
    expect(await takeRevocation()).toBeUndefined()
    expect(await getUser().rows('C#')).toEqual([])
  })

  it('logs tokens that cannot be opened, and deletes them', async () => {
    await connect('gmail')
    await getUser().putRow('C#gmail', { ...(await readCredential('gmail')), sealed: 'v1.x.y' })
    const output = captureOutput()
    expect(await disconnect('gmail')).toBe(false)
    expect(output.logEntries()).toMatchObject([
      {
        level: 'warn',
        message: 'a grant could not be revoked',
        error: { name: expect.any(String) as string },
      },
    ])
    expect(await getUser().rows('C#')).toEqual([])
  })

  it('is done by the cleanup after an interrupted disconnect', async () => {
    await connect('gmail')
    await getUser().putRow('I#gmail', { ...(await readConnection('gmail')), status: 'disconnected' })
    advanceMinutes(10)
    harness.providers.script('POST /gmail/revoke', { status: 200 })
    await getUser().call('integrations.cleanup', { body: {} })
    expect(await takeRevocation()).toMatchObject({ path: '/gmail/revoke' })
    expect(await getUser().rows('C#')).toEqual([])
  })

  it('happens when the credential is deleted, or replaced by entered values', async () => {
    const manage = (body: object) => getUser().call('credentials.manage', { body })
    harness.providers.script('POST /gmail/revoke', { status: 200 })
    await connect('gmail')
    expect((await manage({ action: 'delete', mcpId: 'gmail' })).body).toEqual({ success: true })
    expect(parseForm((await takeRevocation()) ?? { body: '' })).toMatchObject({ token: 'refresh-1' })
    expect(await readConnection('gmail')).toMatchObject({ status: 'connected', token_status: 'invalid' })
    await connect('gmail')
    await manage({ action: 'update', mcpId: 'gmail', credentials: { apiKey: 'a key' } })
    expect(parseForm((await takeRevocation()) ?? { body: '' })).toEqual({
      token: 'refresh-1',
      client_id: 'my-app',
      client_secret: 'my-secret',
    })
    expect(await getUser().readVault()).toEqual([{ apiKey: 'a key' }])
    // there is no grant left
    await manage({ action: 'update', mcpId: 'gmail', credentials: { apiKey: 'another' } })
    expect(await takeRevocation()).toBeUndefined()
  })

  it('does not happen when new values could not be stored', async () => {
    await connect('gmail')
    const vault = { ...harness.stores.vault, store: () => Promise.reject(new Error('down')) }
    const values = { mcpId: 'gmail', credentials: { apiKey: 'a key' }, mustExist: true }
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    await expect(storeCredentials({ ...harness.stores, vault }, getUser().sub, values)).rejects.toMatchObject(
      {
        code: 'credentials_not_stored',
      },
    )
    expect(await takeRevocation()).toBeUndefined()
    expect(await readTokens('gmail')).toMatchObject({ refreshToken: 'refresh-1' })
  })

  it('succeeds when another call has deleted the credential in between', async () => {
    await connect('gmail')
    harness.providers.script('POST /gmail/revoke', async () => {
      await removeCredential('gmail')
      return { status: 200 }
    })
    expect(await disconnect('gmail')).toBe(true)
    expect([await getUser().rows('C#'), await getUser().readVault()]).toEqual([[], []])
  })
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ProviderDoubles, startProviderDoubles } from '../support/provider-contracts/doubles.ts'
import { decideConsent } from '../support/provider-consent.ts'

let dataDir: string
let doubles: ProviderDoubles
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'juno-providers-'))
  doubles = await startProviderDoubles({ dataDir })
})
afterEach(async () => {
  await doubles.close()
  await rm(dataDir, { recursive: true, force: true })
})

const redirectUri = 'http://127.0.0.1:4000/oauth/callback'
const postForm = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields) })

async function grantTokens(provider: string, clientId = 'demo') {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 's',
  })
  const callbackUrl = await decideConsent(`${doubles.url}/${provider}/authorize?${query.toString()}`, 'allow')
  const redeem = () =>
    postForm(`${doubles.url}/${provider}/token`, {
      grant_type: 'authorization_code',
      code: callbackUrl.searchParams.get('code') ?? '',
      client_id: clientId,
      redirect_uri: redirectUri,
    })
  const answer = (await (await redeem()).json()) as { access_token: string; refresh_token: string }
  return { ...answer, redeem }
}

async function openApi(provider: string) {
  const { access_token } = await grantTokens(provider)
  return async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${doubles.url}/${provider}/api${path}`, {
      ...init,
      headers: {
        ...(init.body !== undefined && { 'content-type': 'application/json' }),
        ...(init.headers as Record<string, string>),
        authorization: `Bearer ${access_token}`,
      },
    })
    return { status: response.status, body: (await response.json()) as never }
  }
}

describe('the OAuth double', () => {
  it('accepts a code once, and rotates refresh tokens', async () => {
    const first = await grantTokens('zoom')
    expect(await (await first.redeem()).json()).toEqual({ error: 'invalid_grant' })
    const refresh = (refresh_token: string) =>
      postForm(`${doubles.url}/zoom/token`, { grant_type: 'refresh_token', refresh_token, client_id: 'demo' })
    const second = (await (await refresh(first.refresh_token)).json()) as { refresh_token: string }
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await refresh(first.refresh_token)).status).toBe(400)
    expect((await refresh(second.refresh_token)).status).toBe(200)
  })

  it('redirects to the registered address only; GitHub and Slack also below it', async () => {
    const readStatus = async (provider: string, redirect_uri: string) => {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: 'x',
        redirect_uri,
        code_challenge_method: 'S256',
      })
      return (await fetch(`${doubles.url}/${provider}/authorize?${query.toString()}`)).status
    }
    for (const provider of ['zoom', 'github', 'slack']) {
      expect(await readStatus(provider, redirectUri)).toBe(200)
      const statusBelow = provider === 'zoom' ? 400 : 200
      expect(await readStatus(provider, `${redirectUri}/below`)).toBe(statusBelow)
      for (const elsewhere of ['/oauth/server-callback/1', '/oauth/callback-2', '/oauth/callback/../other'])
        expect(await readStatus(provider, `http://127.0.0.1:4000${elsewhere}`)).toBe(400)
    }
    expect(await readStatus('zoom', `${redirectUri}?iss=x`)).toBe(400)
  })

  it('redirects only to this machine', async () => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'x',
      redirect_uri: 'https://evil.example/',
    })
    expect((await fetch(`${doubles.url}/zoom/authorize?${query.toString()}`)).status).toBe(400)
  })
})

it('Gmail: a sent mail is in the next list; filters and paging work', async () => {
  const gmail = await openApi('gmail')
  expect(await gmail('/users/me/messages?q=nothing-like-it')).toEqual({
    status: 200,
    body: { resultSizeEstimate: 0 },
  })
  const mail = 'To: ann@example.org\r\nSubject: =?UTF-8?B?R3LDvMOfZQ==?=\r\n\r\nHello'
  const sent = await gmail('/users/me/messages/send', {
    method: 'POST',
    body: JSON.stringify({ raw: Buffer.from(mail).toString('base64url') }),
  })
  expect(sent).toMatchObject({ status: 200, body: { labelIds: ['SENT'] } })
  const { id } = sent.body as { id: string }
  expect((await gmail('/users/me/messages?maxResults=1')).body).toMatchObject({
    messages: [{ id }],
    nextPageToken: '1',
  })
  expect(
    (await gmail(`/users/me/messages?q=${encodeURIComponent('in:sent subject:Grüße')}`)).body,
  ).toMatchObject({ messages: [{ id }] })
  expect(
    (await gmail(`/users/me/messages/${id}?format=metadata&metadataHeaders=Subject`)).body,
  ).toMatchObject({
    snippet: 'Hello',
    payload: { headers: [{ name: 'Subject', value: 'Grüße' }] },
  })
  expect(await gmail('/users/me/messages/send', { method: 'POST', body: '{}' })).toMatchObject({
    status: 400,
  })
  expect((await fetch(`${doubles.url}/gmail/api/users/me/messages`)).status).toBe(401)
})

it('Drive: a created file is in the next list; queries use Drive’s syntax', async () => {
  const drive = await openApi('google-drive')
  const body = [
    '--b',
    'Content-Type: application/json; charset=UTF-8',
    '',
    '{"name":"Notes for Ann","mimeType":"text/plain"}',
    '--b',
    'Content-Type: text/plain',
    '',
    'first line',
    '--b--',
  ].join('\r\n')
  const created = await drive('/upload/files?uploadType=multipart', {
    method: 'POST',
    headers: { 'content-type': 'multipart/related; boundary=b' },
    body,
  })
  expect(created).toMatchObject({ status: 200, body: { name: 'Notes for Ann', size: '10' } })
  const buildQuery = (text: string) => `/files?q=${encodeURIComponent(text)}`
  expect((await drive(buildQuery("name contains 'notes' and trashed = false"))).body).toMatchObject({
    files: [{ name: 'Notes for Ann' }],
  })
  expect((await drive(buildQuery('notes'))).status).toBe(400)
  expect((await drive(`${buildQuery("fullText contains 'x'")}&orderBy=name`)).status).toBe(403)
})

it('HubSpot: lists pages with the requested properties', async () => {
  const hubspot = await openApi('hubspot')
  const page = await hubspot('/crm/objects/2026-03/contacts?limit=2&properties=email,nothing')
  expect(page.body).toMatchObject({
    results: [{ id: '501', properties: { email: 'ann@example.org', hs_object_id: '501' } }, { id: '502' }],
    paging: { next: { after: '503' } },
  })
  expect((await hubspot('/crm/objects/2026-03/contacts?after=503')).body).not.toHaveProperty('paging')
  expect((await hubspot('/crm/objects/2026-03/deals?limit=500')).status).toBe(400)
  expect((await hubspot('/crm/objects/2026-03/pets')).status).toBe(404)
})

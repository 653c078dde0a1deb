import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ShareAudience } from '#shared/contracts/shares.ts'
import { converse } from '../support/belongings.ts'
import { downloadExport } from '../support/download-export.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { openTeam } from '../support/team.ts'
import { unzip } from '../support/unzip.ts'

const { stack, table } = await scriptedStack('The answer.')
const team = await openTeam(stack)
const [ann, ben] = await Promise.all([team.newMember(), team.newMember()])

const create = (user: StackUser, sessionId: string, audience?: unknown) =>
  user.send('shares.create', { params: { sessionId }, body: { days: 7, audience } })
async function share(user: StackUser, audience?: ShareAudience, sessionId?: string) {
  const id = sessionId ?? (await converse(user, 'For the team'))
  const body = { days: 7 as const, ...(audience && { audience }) }
  return (await user.call('shares.create', { params: { sessionId: id }, body })).share
}

/** Opens a link, by default as a visitor. */
async function open(secret: string, { accessToken }: { accessToken?: string } = {}) {
  const response = await fetch(`${stack.origin}/api/shared-conversation`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
    },
    body: JSON.stringify({ secret, page: 1 }),
  })
  const { code, title } = (await response.json()) as { code?: string; title?: string }
  return { status: response.status, code, title, cached: response.headers.get('cache-control') }
}
const asked = { status: 401, code: 'sign_in_required' }
const shown = { status: 200, title: 'For the team', cached: 'no-store' }

describe('a link for people', () => {
  it('shows the snapshot to everybody who is signed in, and asks a visitor to sign in', async () => {
    const { secret, audience } = await share(ann, 'people')
    expect(audience).toBe('people')
    expect(await open(secret)).toMatchObject({ ...asked, title: undefined })
    expect(await open(secret, ben)).toMatchObject(shown)
    expect(await open(secret, ann)).toMatchObject(shown)
  })

  it('does not exist for releases that know no audiences', async () => {
    const { secret } = await share(ann, 'people')
    const hash = createHash('sha256').update(secret).digest('base64url')
    const keys = (await table.readAllRows()).filter((row) => row['PK'] === `SHARE#${hash}`)
    expect(keys.map((row) => row['SK'])).not.toContain('HEAD')
  })

  it.each([
    ['is signed out everywhere', (user: StackUser) => user.call('account.signOutEverywhere')],
    [
      'is disabled',
      ({ sub }: StackUser) => team.admin.call('admin.disableUser', { params: { userId: sub } }),
    ],
    ['is erased', (user: StackUser) => user.call('account.erase', { body: { confirm: 'DELETE' } })],
  ] as const)('is closed to an account that %s', async (_, end) => {
    const { secret } = await share(ann, 'people')
    const leaver = await team.newMember()
    expect(await open(secret, leaver)).toMatchObject(shown)
    await end(leaver)
    expect(await open(secret, leaver)).toMatchObject({ status: 401, code: 'invalid_token', title: undefined })
  })

  it.each(['revoked', 'deleted'])('that is %s is like any other dead link', async (end) => {
    const sessionId = await converse(ann, 'For the team')
    const { secret, id } = await share(ann, 'people', sessionId)
    if (end === 'revoked') await ann.call('shares.revoke', { params: { shareId: id } })
    else await ann.call('sessions.delete', { params: { sessionId } })
    for (const viewer of [{}, ben])
      expect(await open(secret, viewer)).toMatchObject({ status: 404, code: 'share_not_found' })
  })
})

describe('the audience', () => {
  it('is by default everybody with the link, and is no other word', async () => {
    const sessionId = await converse(ann, 'For the team')
    expect(await open((await share(ann, undefined, sessionId)).secret)).toMatchObject(shown)
    for (const audience of ['', 'everyone', 'People', null, ['people']])
      expect(await create(ann, sessionId, audience)).toMatchObject({
        status: 400,
        body: { code: 'bad_request' },
      })
  })

  it('is in the list of links and in the export, also of links of earlier releases', async () => {
    const user = await team.newMember()
    const sessionId = await converse(user, 'For the team')
    const first = await share(user, 'link', sessionId)
    await share(user, 'people', sessionId)
    const row = (await table.readRows(user.sub)).find(({ SK }) => SK === `SHARE#${first.id}`)
    const { audience: _, ...earlier } = row ?? {}
    await table.putRow(earlier)
    const { shares } = await user.call('shares.list')
    expect(shares.map(({ audience }) => audience)).toEqual(['people', 'link'])
    const { bytes } = await downloadExport(await user.call('account.export'))
    expect(JSON.parse(String(unzip(bytes).get('shared-links.json')))).toMatchObject([
      { audience: 'people' },
      { audience: 'link' },
    ])
  })

  it('is people only, where a group forbids links to outside', async () => {
    const inside = await team.newMember(await team.newGroup({ share_links: false }))
    const sessionId = await converse(inside, 'For the team')
    for (const audience of [undefined, 'link'])
      expect(await create(inside, sessionId, audience)).toMatchObject({
        status: 403,
        body: { code: 'not_allowed', params: { reason: 'share_links' } },
      })
    expect(await open((await share(inside, 'people', sessionId)).secret, ben)).toMatchObject(shown)
  })
})

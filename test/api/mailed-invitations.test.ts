import { SignUpCommand } from '@aws-sdk/client-cognito-identity-provider'
import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { invitationSecretKey } from '#shared/user-pool.ts'
import { invitationId, invitationPartition } from '../../functions/sign-in/invitations.ts'
import { demoStack } from '../support/shared-stack.ts'
import { openStackTable } from '../support/stack-table.ts'
import { openUserPool, signInUser } from '../support/stack-user.ts'
import { openTeam } from '../support/team.ts'

const stack = await demoStack()
const team = await openTeam(stack)
const table = await openStackTable(stack)
const password = 'correct horse'
const uniqueEmail = () => `${crypto.randomUUID()}@example.com`

const access = { origin: stack.origin, cognito: (await stack.endpoints()).cognito }

/** Invites an address by mail. @returns the secret in the link of its last mail */
async function invite(email: string, groups: string[] = []): Promise<string> {
  await team.admin.call('admin.invite', { body: { email, days: 7, groups } })
  return readSecret(email)
}
async function readSecret(email: string): Promise<string> {
  const link = (await stack.mail(email))[0]?.text.match(/http\S+/)?.[0] ?? ''
  expect(new URL(link).searchParams.toString()).toBe(new URLSearchParams({ invite: '1', email }).toString())
  return new URLSearchParams(new URL(link).hash.slice(1)).get('secret') ?? ''
}

/** Signs up as the page does. */
async function signUp(email: string, secret?: string) {
  const { client, ClientId } = await openUserPool(access)
  const UserAttributes = [
    { Name: 'email', Value: email },
    { Name: 'name', Value: 'Ann' },
  ]
  return client.send(
    new SignUpCommand({
      ClientId,
      Username: email,
      Password: password,
      UserAttributes,
      ...(secret !== undefined && { ClientMetadata: { [invitationSecretKey]: secret } }),
    }),
  )
}
const readInvitation = async (email: string) =>
  (await table.readAllRows()).find(({ PK, SK }) => PK === invitationPartition && SK === invitationId(email))

it.each([
  ['as it was invited', (email: string) => email],
  ['in other capitals', (email: string) => email.toUpperCase()],
])(
  'the link of a mailed invitation confirms the address %s, and its account joins the groups',
  async (_how, spell) => {
    const group = await team.newGroup()
    const email = uniqueEmail()
    const secret = await invite(email, [group])
    expect(secret).toMatch(/^[\w-]{43}$/)
    const { UserConfirmed, UserSub: sub = '' } = await signUp(spell(email), secret)
    expect(UserConfirmed).toBe(true)
    expect(await stack.mail(email)).toHaveLength(1)
    const { idToken } = await signInUser(access, { email, password, name: 'Ann', sub })
    expect(decodeJwt(idToken)).toMatchObject({ email_verified: true })
    expect((await team.admin.call('admin.user', { params: { userId: sub } })).user.groups).toEqual([group])
    expect(await readInvitation(email)).toBeUndefined()
  },
)

it.each<[string, (email: string, secret: string) => Promise<string | undefined>]>([
  ['without the secret', async () => undefined],
  ['with a wrong secret', async () => 'x'.repeat(43)],
  ['with an empty secret', async () => ''],
  ['with the secret of another address', async () => invite(uniqueEmail())],
  [
    'once the invitation is withdrawn',
    async (email, secret) => {
      await team.admin.call('admin.revokeInvitation', { params: { invitationId: invitationId(email) } })
      return secret
    },
  ],
  [
    'once the invitation has expired',
    async (email, secret) => {
      await table.putRow({ ...(await readInvitation(email)), ttl: Math.floor(Date.now() / 1000) - 1 })
      return secret
    },
  ],
  [
    'with the link of an earlier mail',
    async (email, secret) => {
      await team.admin.call('admin.resendInvitation', { params: { invitationId: invitationId(email) } })
      expect(await readSecret(email)).not.toBe(secret)
      return secret
    },
  ],
  [
    'with a secret that was used for an account that is deleted by now',
    async (email, secret) => {
      const { UserSub: userId = '' } = await signUp(email, secret)
      await team.admin.call('admin.deleteUser', { params: { userId }, body: { confirm: email } })
      return secret
    },
  ],
])('nothing confirms an address %s', async (_how, prepare) => {
  const email = uniqueEmail()
  const secret = await prepare(email, await invite(email))
  expect((await signUp(email, secret)).UserConfirmed).toBe(false)
})

it('a secret is not used up by a sign-up that the user pool refuses', async () => {
  const email = uniqueEmail()
  const secret = await invite(email)
  // somebody else has signed up with the address, and cannot confirm it
  await signUp(email)
  await expect(signUp(email, secret)).rejects.toMatchObject({ name: 'UsernameExistsException' })
  expect(await readInvitation(email)).toHaveProperty('secret_hash')
})

it('nobody but the mailbox has the secret: not administrators, who see a link without it', async () => {
  const email = uniqueEmail()
  const secret = await invite(email)
  const { invitations } = await team.admin.call('admin.invitations')
  expect(invitations.find((one) => one.email === email)?.link).not.toContain('#')
  expect(JSON.stringify([invitations, await readInvitation(email)])).not.toContain(secret)
})

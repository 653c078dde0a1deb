/** @module-tag long */
import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { isAtDomain, signUpPolicy } from '#shared/sign-up-policy.ts'
import { signInAtProvider } from '../support/hosted-sign-in.ts'
import { demoStack } from '../support/shared-stack.ts'
import { openTeam } from '../support/team.ts'

/* What users of other products have reported about domains, and groups of identity providers. */

const stack = await demoStack()
const team = await openTeam(stack)

it.each([
  ['a@example.org', true],
  ['A@EXAMPLE.ORG', true],
  ['a@sub.example.org', false],
  ['a@example.org.', false],
  ['"a@example.org"@evil.example', false],
  ['a@evil.example@example.org', false],
  ['a@notexample.org', false],
  ['a@example.orG\u0131', false],
])('a list of domains admits %s: %s (coralproject/talk#3846, yclas#3306)', (email, isAdmitted) => {
  const { domains } = signUpPolicy.parse('Example.org')
  expect(isAtDomain(email, domains)).toBe(isAdmitted)
})

it('groups of an identity provider come and go with each sign-in, those given here stay (open-webui/open-webui#8817)', async () => {
  const [staff, own] = await Promise.all([team.newGroup(), team.newGroup()])
  const email = `colleague-${crypto.randomUUID()}@corp.example`
  const readGroups = ({ accessToken }: { accessToken: string }) =>
    (decodeJwt<{ 'cognito:groups'?: string[] }>(accessToken)['cognito:groups'] ?? [])
      .filter((name) => [staff, own].includes(name))
      .toSorted()
  const signIn = (groups: string) => signInAtProvider(stack, 'ExampleCorp', { email, groups })
  const first = await signIn('')
  expect(readGroups(first)).toEqual([])
  await team.admin.call('admin.setGroups', {
    params: { userId: first.sub },
    body: { add: [own], remove: [] },
  })
  expect(readGroups(await signIn(staff))).toEqual([staff, own].toSorted())
  const { users } = await team.admin.call('admin.users', { query: { query: email } })
  expect(users).toMatchObject([{ groups: [own], provider_groups: [staff] }])
  // one that was created since the last sign-in
  const late = await team.newGroup()
  const { accessToken } = await signIn(`${staff}, ${late}`)
  expect(decodeJwt(accessToken)['cognito:groups']).toContain(late)
  expect(readGroups(await signIn(''))).toEqual([own])
  expect(readGroups(await signIn('unknown'))).toEqual([own])
})

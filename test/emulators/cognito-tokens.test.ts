import {
  ChangePasswordCommand,
  DeleteUserCommand,
  GetTokensFromRefreshTokenCommand,
  GetUserCommand,
  GlobalSignOutCommand,
  RevokeTokenCommand,
  UpdateUserAttributesCommand,
  VerifyUserAttributeCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { createRemoteJWKSet, decodeProtectedHeader, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { anEmail, PASSWORD, startTestPool, getTokens, type TestPool } from '../support/cognito-pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await startTestPool()
})
afterEach(() => vi.useRealTimers())
afterAll(() => pool.remove())

const getUser = (AccessToken: string, at = pool) => at.client.send(new GetUserCommand({ AccessToken }))
const refresh = async (RefreshToken: string, at = pool) =>
  getTokens(
    await at.client.send(new GetTokensFromRefreshTokenCommand({ ClientId: at.clientId, RefreshToken })),
  )

describe('tokens', () => {
  it('verify with the published keys and carry the claims that the product reads', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T08:00:00.500Z') })
    const user = await pool.newUser()
    const { tokens, AuthenticationResult } = await pool.signIn(user)
    expect(AuthenticationResult).toMatchObject({ ExpiresIn: 900, TokenType: 'Bearer' })
    const keys = createRemoteJWKSet(new URL(pool.jwksUri))
    const access = await jwtVerify(tokens.access, keys, { issuer: pool.issuer })
    expect(pool.issuer).toBe(`https://cognito-idp.eu-central-1.amazonaws.com/${pool.userPoolId}`)
    const now = Date.UTC(2026, 10, 20, 8) / 1000
    expect(access.payload).toEqual({
      sub: user.sub,
      iss: pool.issuer,
      client_id: pool.clientId,
      origin_jti: expect.any(String),
      event_id: expect.any(String),
      jti: expect.any(String),
      token_use: 'access',
      scope: 'aws.cognito.signin.user.admin',
      auth_time: now,
      iat: now,
      exp: now + 900,
      username: user.sub,
    })
    const id = await jwtVerify(tokens.id, keys, { issuer: pool.issuer, audience: pool.clientId })
    expect(id.payload).toMatchObject({
      sub: user.sub,
      'cognito:username': user.sub,
      token_use: 'id',
      email: user.email,
      email_verified: true,
      name: 'Ann',
      auth_time: now,
    })
  })

  it('are signed with another key after a rotation, which is published and accepted', async () => {
    const user = await pool.newUser()
    const before = (await pool.signIn(user)).tokens.access
    await pool.rotateKeys()
    const after = (await pool.signIn(user)).tokens.access
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid)
    const keys = createRemoteJWKSet(new URL(pool.jwksUri))
    await jwtVerify(after, keys)
    await expect(getUser(after)).resolves.toMatchObject({ Username: user.sub })
  })

  it('are rejected when forged, expired or of the other kind', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T08:00:00Z') })
    const { tokens } = await pool.signIn(await pool.newUser())
    const [header, payload, signature] = tokens.access.split('.')
    const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()) as Record<string, unknown>
    const { privateKey } = await generateKeyPair('RS256')
    const { kid = '' } = decodeProtectedHeader(tokens.access)
    const invalidTokens = [
      await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).sign(new Uint8Array(32)),
      `${Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url')}.${payload}.`,
      `${header}.${Buffer.from(JSON.stringify({ ...claims, sub: 'other' })).toString('base64url')}.${signature}`,
      tokens.id,
      'nonsense',
    ]
    for (const token of invalidTokens)
      await expect(getUser(token)).rejects.toMatchObject({
        name: 'NotAuthorizedException',
        message: 'Invalid Access Token',
      })
    await getUser(tokens.access)
    vi.setSystemTime(new Date('2026-11-20T08:15:00Z'))
    await expect(getUser(tokens.access)).rejects.toThrow('Access Token has expired')
  })
})

describe('refresh', () => {
  it('rotates tokens, accepts the old one for 60 s and then reports its reuse', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T08:00:00Z') })
    const { tokens } = await pool.signIn(await pool.newUser())
    vi.setSystemTime(new Date('2026-11-20T08:10:00Z'))
    const second = await refresh(tokens.refresh)
    expect(second.refresh).not.toBe(tokens.refresh)
    expect(JSON.parse(Buffer.from(second.access.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
      auth_time: Date.UTC(2026, 10, 20, 8) / 1000,
      iat: Date.UTC(2026, 10, 20, 8, 10) / 1000,
    })
    vi.setSystemTime(new Date('2026-11-20T08:11:00Z'))
    await refresh(tokens.refresh)
    vi.setSystemTime(new Date('2026-11-20T08:11:00.001Z'))
    await expect(refresh(tokens.refresh)).rejects.toMatchObject({ name: 'RefreshTokenReuseException' })
    await getUser((await refresh(second.refresh)).access)
  })

  it('ends 30 days after the sign-in, however often it was refreshed', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-01T08:00:00Z') })
    const { tokens } = await pool.signIn(await pool.newUser())
    vi.setSystemTime(new Date('2026-12-01T07:59:59Z'))
    const last = await refresh(tokens.refresh)
    vi.setSystemTime(new Date('2026-12-01T08:00:00Z'))
    await expect(refresh(last.refresh)).rejects.toThrow('Refresh Token has expired')
  })

  it('rejects an unknown token', async () => {
    await expect(refresh('nonsense')).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Invalid Refresh Token.',
    })
  })
})

describe('ending sign-ins', () => {
  it('RevokeToken ends one sign-in with its access tokens', async () => {
    const user = await pool.newUser()
    const [firstSignIn, secondSignIn] = [(await pool.signIn(user)).tokens, (await pool.signIn(user)).tokens]
    const revoke = (Token: string) =>
      pool.client.send(new RevokeTokenCommand({ ClientId: pool.clientId, Token }))
    await expect(revoke(firstSignIn.access)).rejects.toMatchObject({ name: 'UnsupportedTokenTypeException' })
    await revoke(firstSignIn.refresh)
    await expect(getUser(firstSignIn.access)).rejects.toThrow('Access Token has been revoked')
    await expect(refresh(firstSignIn.refresh)).rejects.toThrow('Refresh Token has been revoked')
    await getUser(secondSignIn.access)
  })

  it('GlobalSignOut ends all of a user’s sign-ins and nobody else’s', async () => {
    const user = await pool.newUser()
    const [firstSignIn, secondSignIn] = [(await pool.signIn(user)).tokens, (await pool.signIn(user)).tokens]
    const otherUserTokens = (await pool.signIn(await pool.newUser())).tokens
    await pool.client.send(new GlobalSignOutCommand({ AccessToken: firstSignIn.access }))
    for (const { access, refresh: token } of [firstSignIn, secondSignIn]) {
      await expect(getUser(access)).rejects.toThrow('Access Token has been revoked')
      await expect(refresh(token)).rejects.toThrow('Refresh Token has been revoked')
    }
    await getUser(otherUserTokens.access)
    await getUser((await pool.signIn(user)).tokens.access)
  })

  it('DeleteUser deletes the account', async () => {
    const user = await pool.newUser()
    const { tokens } = await pool.signIn(user)
    await pool.client.send(new DeleteUserCommand({ AccessToken: tokens.access }))
    await expect(getUser(tokens.access)).rejects.toMatchObject({ name: 'UserNotFoundException' })
    await expect(pool.signIn(user)).rejects.toThrow('Incorrect username or password.')
    await expect(refresh(tokens.refresh)).rejects.toMatchObject({ name: 'NotAuthorizedException' })
    await pool.signUp({ email: user.email })
  })
})

describe('the user’s own account', () => {
  it('AUTH-20 changes name and picture, and the e-mail only with its own code if the pool keeps the original', async () => {
    const keepingPool = await startTestPool({ keepOriginalEmail: true })
    const user = await keepingPool.newUser()
    const { access: AccessToken } = (await keepingPool.signIn(user)).tokens
    const email = anEmail()
    const update = (attributes: Record<string, string>) =>
      keepingPool.client.send(
        new UpdateUserAttributesCommand({
          AccessToken,
          UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
        }),
      )
    await update({ name: 'Ben', picture: 'https://images.example/ben.png', email })
    expect((await getUser(AccessToken, keepingPool)).UserAttributes).toContainEqual({
      Name: 'email',
      Value: user.email,
    })
    const verify = new VerifyUserAttributeCommand({
      AccessToken,
      AttributeName: 'email',
      Code: keepingPool.codeTo(email),
    })
    await keepingPool.client.send(verify)
    expect((await getUser(AccessToken, keepingPool)).UserAttributes).toEqual([
      { Name: 'sub', Value: user.sub },
      { Name: 'email', Value: email },
      { Name: 'name', Value: 'Ben' },
      { Name: 'email_verified', Value: 'true' },
      { Name: 'picture', Value: 'https://images.example/ben.png' },
    ])
    await expect(update({ email: (await keepingPool.newUser()).email })).rejects.toMatchObject({
      name: 'AliasExistsException',
    })
    await expect(update({ email_verified: 'true' })).rejects.toMatchObject({ name: 'NotAuthorizedException' })
    await keepingPool.signIn({ email, password: PASSWORD })
    await keepingPool.remove()
  })

  it('changes the password with the old one, 5 times an hour', async () => {
    const user = await pool.newUser()
    const { access: AccessToken } = (await pool.signIn(user)).tokens
    const change = (PreviousPassword: string, ProposedPassword: string) =>
      pool.client.send(new ChangePasswordCommand({ AccessToken, PreviousPassword, ProposedPassword }))
    await expect(change('wrong horse', 'her battery')).rejects.toThrow('Incorrect username or password.')
    for (const refused of ['12345', 'Dragon'])
      await expect(change(PASSWORD, refused)).rejects.toMatchObject({ name: 'InvalidPasswordException' })
    await change(PASSWORD, 'her battery')
    await pool.signIn({ ...user, password: 'her battery' })
    await change('her battery', PASSWORD)
    await expect(change(PASSWORD, 'her battery')).rejects.toMatchObject({ name: 'LimitExceededException' })
  })
})

describe('restart', () => {
  it('keeps ids, keys, users and sign-ins', async () => {
    const first = await startTestPool()
    const user = await first.newUser()
    const { tokens } = await first.signIn(user)
    await first.stop()
    const second = await startTestPool({ dataDir: first.dataDir })
    expect(second).toMatchObject({
      userPoolId: first.userPoolId,
      clientId: first.clientId,
      issuer: first.issuer,
    })
    expect(first.userPoolId).toMatch(/^eu-central-1_[A-Za-z0-9]{9}$/)
    await getUser(tokens.access, second)
    await refresh(tokens.refresh, second)
    await second.signIn(user)
    await second.remove()
  })

  it('keeps acknowledged changes when it is killed', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'pool-'))
    const child = spawn(process.execPath, [join(import.meta.dirname, 'cognito-process.ts'), dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    const { sub, email } = JSON.parse(line) as { sub: string; email: string }
    child.kill('SIGKILL')
    await once(child, 'exit')
    const restarted = await startTestPool({ dataDir })
    const { tokens } = await restarted.signIn({ email, password: PASSWORD })
    expect(await getUser(tokens.access, restarted)).toMatchObject({ Username: sub })
    expect(restarted.mailsTo(email)).toHaveLength(1)
    await restarted.remove()
  })
})

import { CognitoIdentityProviderClient, SignUpCommand } from '@aws-sdk/client-cognito-identity-provider'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LocalStack, startStack } from '../support/local-stack.ts'

let stack: LocalStack
beforeAll(async () => {
  stack = await startStack({
    // the factor is generous: what is said exactly is not multiplied
    env: { TOKENS_PER_DAY: '1', RATE_LIMIT_FACTOR: '10', MIN_PASSWORD_CHARACTERS: '12' },
  })
})
afterAll(() => stack.stop())

it('DEC-106 the tokens of a day are as many as the environment says', async () => {
  const user = await stack.newUser()
  const send = () => user.send('chat.send', { body: { messages: [{ role: 'user', content: '/echo Hi' }] } })
  expect(await send()).toMatchObject({ status: 200, body: { success: true } })
  expect(await send()).toMatchObject({ status: 429, body: { code: 'budget' } })
})

it('LIM-08 AUTH-11 the page and the pool ask for as long a password as the environment says', async () => {
  const config = (await (await fetch(`${stack.origin}/config.json`)).json()) as Record<string, string>
  expect(config).toMatchObject({ minPasswordCharacters: 12 })
  const pool = new CognitoIdentityProviderClient({
    endpoint: (await stack.endpoints()).cognito,
    region: config['region'] ?? '',
    maxAttempts: 1,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  })
  const signUp = (Password: string) =>
    pool.send(
      new SignUpCommand({
        ClientId: config['userPoolClientId'],
        Username: `${crypto.randomUUID()}@example.org`,
        Password,
        UserAttributes: [{ Name: 'name', Value: 'Ann' }],
      }),
    )
  await expect(signUp('12345678901')).rejects.toMatchObject({ name: 'InvalidPasswordException' })
  await expect(signUp('123456789012')).resolves.toMatchObject({ UserConfirmed: false })
  pool.destroy()
})

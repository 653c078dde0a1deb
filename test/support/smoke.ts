import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { CognitoIdentityProviderClient, paginateListUsers } from '@aws-sdk/client-cognito-identity-provider'
import { childEnvironment } from './child-environment.ts'
import type { LocalStack } from './local-stack.ts'

/** Runs `npm run smoke` against a stack, as an operator does. @param onLine gets each line of its report, and may interrupt it */
export async function runSmokeTest(
  { origin, dataDir }: LocalStack,
  {
    options = [],
    onLine,
  }: { options?: string[]; onLine?: (line: string, interrupt: () => void) => void } = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['infra/operate/smoke.ts', '--url', origin, ...options], {
    env: { ...childEnvironment, HOME: process.env['HOME'], LOCAL_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const collect = (text: string) => {
    output += text
    for (const line of text.split('\n')) onLine?.(line, () => child.kill('SIGINT'))
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

/** E-mails of all users of the stack's pool. */
export async function listPoolEmails(stack: LocalStack): Promise<string[]> {
  const { region, userPoolId } = (await (await fetch(`${stack.origin}/config.json`)).json()) as {
    region: string
    userPoolId: string
  }
  const { cognito, credentials } = await stack.endpoints()
  const client = new CognitoIdentityProviderClient({
    endpoint: cognito,
    region,
    credentials,
  })
  const emails: string[] = []
  for await (const { Users = [] } of paginateListUsers({ client }, { UserPoolId: userPoolId }))
    for (const { Attributes = [] } of Users)
      emails.push(Attributes.find(({ Name }) => Name === 'email')?.Value ?? '')
  client.destroy()
  return emails
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'

// starts the command itself, so that the SDK parses real responses
const repository = join(import.meta.dirname, '../..')
const envWithoutAws = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(AWS|AMAZON|OPENAI)_/.test(name)),
)
const noCredentials = {
  ...envWithoutAws,
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_CONFIG_FILE: '/nowhere/config',
  AWS_SHARED_CREDENTIALS_FILE: '/nowhere/credentials',
}
const credentials = {
  ...noCredentials,
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'never-printed',
}

/** As operators start it. */
const npmRunDoctor = (env: NodeJS.ProcessEnv, ...args: string[]) =>
  run('npm', ['run', '--silent', 'doctor', '--', ...args], env)

/** The same without npm, which takes as long to start as the command. */
const runDoctor = (env: NodeJS.ProcessEnv, ...args: string[]) =>
  run(process.execPath, ['infra/operate/doctor.ts', ...args], env)

async function run(command: string, args: string[], env: NodeJS.ProcessEnv) {
  const child = spawn(command, args, { cwd: repository, env })
  const [output, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  // whether the site is built differs between machines
  return { code, stderr, output: output.replace(/^.*Site: .*\n( .*\n)?/m, '') }
}

interface FakeResponse {
  readonly status?: number
  readonly body: string
}

/** An endpoint that responds by action, target or path, like AWS's services. */
async function startFakeAws(responses: Record<string, FakeResponse>): Promise<string> {
  const server = createServer((request, response) => {
    void respondTo(request).then(({ status = 200, body }) => {
      response.writeHead(status, { 'content-type': body.startsWith('<') ? 'text/xml' : 'application/json' })
      response.end(body)
    })
  })
  async function respondTo(request: IncomingMessage): Promise<FakeResponse> {
    const body = await text(request)
    const target = String(request.headers['x-amz-target'] ?? '').split('.')[1]
    const key = target ?? new URLSearchParams(body).get('Action') ?? request.url?.split('?')[0] ?? ''
    return responses[key] ?? { status: 500, body: `{"message":"nothing is prepared for ${key}"}` }
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const xmlError = (code: string, message: string): FakeResponse => ({
  status: code === 'ValidationError' ? 400 : 403,
  body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>r</RequestId></ErrorResponse>`,
})
const identityResponse: FakeResponse = {
  body: '<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::123456789012:user/ann</Arn><UserId>A</UserId><Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>',
}
const accountSettings: FakeResponse = {
  body: '{"AccountLimit":{"ConcurrentExecutions":1000,"UnreservedConcurrentExecutions":1000}}',
}
const noStack = xmlError('ValidationError', 'Stack with id juno-dev-data does not exist')

describe('npm run doctor', () => {
  it('reports missing credentials', async () => {
    const { code, output } = await npmRunDoctor(noCredentials, '-c', 'stage=live')
    expect(output).toContain('ok       Configuration: valid; the stacks are called juno-live-….')
    expect(output).toContain('problem  Region: none is set, and the CDK would silently use us-east-1.')
    expect(output).toContain(
      'problem  Credentials: none found. Could not load credentials from any providers',
    )
    expect(output).toMatch(/^Not checked until that is fixed: Bootstrap, Stacks, .*\.$/m)
    expect(code).toBe(1)
  })

  it('reports a missing network within seconds', async () => {
    const closedServer = createServer().listen(0, '127.0.0.1')
    await once(closedServer, 'listening')
    const { port } = closedServer.address() as AddressInfo
    closedServer.close()
    const { code, output } = await runDoctor({ ...credentials, AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` })
    expect(output).toContain(
      `problem  Credentials: AWS could not be reached (connect ECONNREFUSED 127.0.0.1:${port}).`,
    )
    expect(code).toBe(1)
  })

  it('finds an account ready for a first deployment, in the order of the checks', async () => {
    const endpoint = await startFakeAws({
      GetCallerIdentity: identityResponse,
      DescribeStacks: noStack,
      GetParameter: { body: '{"Parameter":{"Value":"33"}}' },
      ListTables: { body: '{"TableNames":[]}' },
      '/2016-08-19/account-settings': accountSettings,
    })
    const { code, output, stderr } = await runDoctor({ ...credentials, AWS_ENDPOINT_URL: endpoint })
    expect(output.split('\n').slice(1, -3)).toEqual([
      'ok       Configuration: valid; the stacks are called juno-dev-….',
      'ok       Region: eu-west-1.',
      'ok       Credentials: account 123456789012 as arn:aws:iam::123456789012:user/ann.',
      'ok       Bootstrap: version 33 in eu-west-1.',
      'ok       Stacks: none yet: this will be the first deployment of juno-dev.',
      "ok       Names: stacks called juno-dev-… are this product's, or none's.",
      'ok       Leftovers: none of an earlier deployment.',
      'ok       Secrets: none is named; the data stack creates a secret for the API key of the model.',
      'ok       Models: none is called: that takes the key of the model in OPENAI_API_KEY.',
      'ok       Model dates: the dates on which they are shut down are checked daily once they are deployed.',
      "ok       E-mail: Cognito's own mailer: 50 a day, with codes and without links.",
      "ok       Address: one of CloudFront's.",
      'ok       Identity providers: none: everybody signs in with a password.',
      'ok       Concurrency: 1000 functions may run at once, 1000 of them unreserved.',
      'ok       People: not known: -c users=30 gives settings the defaults for so many, and checks what they need.',
      'ok       CloudFront: this does not look like a new account, to which CloudFront is closed until AWS Support has verified it.',
      'ok       Alarms: nobody receives them, unless something else subscribes to their topic.',
      '         → -c alarmEmail=you@example.org, or -c monitoring=off to save what they cost',
    ])
    expect(stderr).toBe('')
    expect(code).toBe(0)
  })

  it('reports what is missing at AWS, and continues without a permission', async () => {
    const endpoint = await startFakeAws({
      GetCallerIdentity: identityResponse,
      DescribeStacks: noStack,
      GetParameter: { status: 400, body: '{"__type":"ParameterNotFound"}' },
      DescribeSecret: {
        status: 400,
        body: '{"__type":"ResourceNotFoundException","Message":"Secrets Manager can\'t find the specified secret."}',
      },
      ListTables: {
        status: 400,
        body: '{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"User: ann is not authorized to perform: dynamodb:ListTables"}',
      },
      '/v2/email/identities/example.org': {
        status: 404,
        body: '{"__type":"NotFoundException","message":"Email identity example.org does not exist."}',
      },
      '/v2/email/account': { body: '{"SendingEnabled":true,"ProductionAccessEnabled":false}' },
      '/2016-08-19/account-settings': accountSettings,
    })
    const { code, output } = await runDoctor(
      { ...credentials, AWS_ENDPOINT_URL: endpoint },
      '-c',
      'modelKeySecretName=juno/key',
      '-c',
      'sesSender=hello@example.org',
      '-c',
      'waf=on',
    )
    for (const line of [
      'problem  Bootstrap: missing in eu-west-1.\n         → npm run bootstrap -- aws://123456789012/eu-west-1\n',
      'problem  Bootstrap: missing in us-east-1.\n         → npm run bootstrap -- aws://123456789012/us-east-1\n',
      'warning  Leftovers: not checked, because these credentials lack the permission: User: ann',
      'problem  Secrets: juno/key (modelKeySecretName) does not exist in eu-west-1.',
      'problem  E-mail: SES in eu-west-1 does not know example.org.',
      'warning  E-mail: SES in eu-west-1 is in the sandbox',
    ])
      expect(output).toContain(line)
    // the site may not be built here
    expect(output).toMatch(/^4 problems, [23] warnings\./m)
    expect(output).not.toContain('never-printed')
    expect(code).toBe(1)
  })

  it.each([
    ['ExpiredToken', 'The security token included in the request is expired', 'expired. The security token'],
    [
      'InvalidClientTokenId',
      'The security token included in the request is invalid.',
      'AWS does not know them. The security token',
    ],
  ])('distinguishes credentials that AWS refuses: %s', async (name, message, found) => {
    const endpoint = await startFakeAws({ GetCallerIdentity: xmlError(name, message) })
    const { code, output } = await runDoctor({ ...credentials, AWS_ENDPOINT_URL: endpoint })
    expect(output).toContain(`problem  Credentials: ${found}`)
    expect(code).toBe(1)
  })

  it('refuses unknown options', async () => {
    const { code, output, stderr } = await runDoctor(noCredentials, '--yes')
    expect(output).toBe('')
    expect(stderr).toContain("Unknown option '--yes'")
    expect(code).toBe(2)
  })
})
